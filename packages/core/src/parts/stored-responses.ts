import type { ResponseOptions } from "../dialects/responses/response-options.ts";
import { ResponseSweep } from "../money/response-sweep.ts";
import type { ResponsesPart } from "../request/gateway-parts.ts";

/** Makes the part that stores responses, from checked options. */
export const responsesPart = ({
  store,
  retentionDays = 30,
  maxAccountBytes = 268_435_456,
}: ResponseOptions): ResponsesPart => ({
  option: "responses",
  create: ({ observe, storeTimeoutMs }) => ({
    storage: { store, ttlMs: retentionDays * 86_400_000, maxAccountBytes },
    sweep: new ResponseSweep(store, observe, storeTimeoutMs),
  }),
});

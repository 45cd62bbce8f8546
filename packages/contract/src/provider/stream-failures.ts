import { equal } from "node:assert/strict";
import type { ProviderFailure } from "@tollgate/core/provider";
import type { Cases } from "../suite.ts";
import type { ProviderContext } from "./context.ts";
import { providerErrorOf } from "./rejections.ts";
import { answering, failing } from "./upstream-script.ts";

const failures: Readonly<Record<number, ProviderFailure>> = { 400: "rejected", 429: "overloaded", 500: "failed" };

/** The cases of errors inside a stream that began with 200. */
export const streamFailureCases: Cases<ProviderContext> = {
  "an error before any content is classified by its own status": async ({ play, ask, received }) => {
    for (const [status, kind] of Object.entries(failures)) {
      play(failing(Number(status), { place: "stream" }));
      equal((await providerErrorOf(ask("stream"))).failure, kind, status);
    }
    equal(received.length, Object.keys(failures).length, "An adapter never retries: the gateway does.");
  },
  "an error after content ends the stream with a ProviderError": async ({ play, ask, received }) => {
    play(answering({ ending: "error" }));
    await providerErrorOf(ask("stream"));
    equal(received.length, 1, "An adapter never retries: the gateway does.");
  },
};

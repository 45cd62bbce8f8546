import { assistants, type WebhookRunner, type WithAssistants } from "@tollgate/assistants";
import { createGateway, type Gateway, memoryBalanceStore, memorySessionStore, openaiCompatible } from "@tollgate/core";
import type { ApiKey, KeyStore } from "@tollgate/core/store";

/** The gateway of the smoke suite, with the session endpoints. */
export type SmokeGateway = Gateway & WithAssistants;

/** The path of the router in every host. The session endpoints are at the root. */
export const prefix = "/router/v1";

/** The one key of the gateway. */
export const secret = "tg_smoke";

/** The largest body of the gateway in bytes. */
export const maxBodyBytes = 65_536;

const key: ApiKey = { id: "key-1", account: "acme", plan: "free", lastFour: "moke", createdAt: new Date(0) };
const keys: KeyStore = {
  find: (presented) => (presented === secret ? key : undefined),
  get: (keyId) => (keyId === key.id ? key : undefined),
  onChange: () => () => undefined,
};
const balances = memoryBalanceStore();
const sessions = memorySessionStore();
const runner: WebhookRunner = {
  run: () => Promise.reject(new Error("This assistant has no webhook.")),
  checkTarget: async () => ({ allowed: true }),
};

/**
 * Creates a gateway on the stores of this module, which all gateways share. Its model `plain` calls the upstream;
 * `impatient` does too, and gives up on a stream that is silent for 300 ms.
 */
export function smokeGateway(upstreamURL: string): SmokeGateway {
  const provider = openaiCompatible({ baseURL: upstreamURL, apiKey: "sk-upstream" });
  const model = { maxOutputTokens: 1_000, price: "free", targets: [{ provider, model: "upstream-model" }] } as const;
  return createGateway({
    keys,
    balances,
    plans: [{ id: "free", billing: "none" }],
    models: [
      { id: "plain", ...model },
      { id: "impatient", ...model, upstream: { idleMs: 300 } },
    ],
    maxBodyBytes,
    basePath: prefix,
    extensions: [
      assistants({
        list: [{ id: "support", companyId: "company-1", model: "plain" }],
        sessions,
        runner,
      }),
    ],
  });
}

/** Serves both mounts of a gateway, as a host without a framework does. */
export function fetchFrom(gateway: SmokeGateway, request: Request, waitUntil?: (work: Promise<unknown>) => void) {
  const mount = new URL(request.url).pathname.startsWith("/session") ? gateway.sessions : gateway;
  return mount.fetch(request, waitUntil === undefined ? {} : { waitUntil });
}

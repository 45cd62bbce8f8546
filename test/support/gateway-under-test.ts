import {
  createGateway,
  type Gateway,
  type GatewayEvent,
  type GatewayOptions,
  memoryBalanceStore,
  memoryKeyStore,
  memoryTermsStore,
} from "@tollgate/core";
import type { NewKey } from "@tollgate/core/store";
import { type ScriptedProvider, scriptedProvider } from "./scripted-provider.ts";

/** A gateway with memory stores, a scripted provider, and shortcuts for tests. */
export interface GatewayUnderTest {
  readonly gateway: Gateway;
  readonly provider: ScriptedProvider;
  readonly balances: ReturnType<typeof memoryBalanceStore>;
  readonly keys: ReturnType<typeof memoryKeyStore>;
  readonly events: GatewayEvent[];
  /** Creates a key, by default for the account "acme" on the plan "prepaid", and returns its secret. */
  key(wanted?: Partial<NewKey>): Promise<string>;
  /** Posts a chat completion. The members of a plain object override those of a small valid request. */
  chat(secret: string, body?: object | string, init?: RequestInit): Promise<Response>;
  models(secret: string): Promise<Response>;
}

const base = "http://gateway.test/router/v1";

/** Creates the gateway; `options` override the defaults. The account "acme" has a balance of 1. */
export function gatewayUnderTest(options: Partial<GatewayOptions> = {}): GatewayUnderTest {
  const provider = scriptedProvider();
  const keys = memoryKeyStore();
  const balances = memoryBalanceStore();
  const events: GatewayEvent[] = [];
  const targets = [{ provider, model: "upstream-model" }];
  const price = { input: "1", output: "2" };
  const gateway = createGateway({
    keys,
    balances,
    plans: [
      { id: "prepaid", billing: "prepaid", limits: { requests: { limit: 1_000 } } },
      { id: "subscription", billing: "none", features: ["tools", "image_url", "reasoning_effort"] },
      { id: "plain-subscription", billing: "none" },
      { id: "full-subscription", billing: "none", features: ["response_format"] },
    ],
    models: [
      { id: "plain", maxOutputTokens: 1_000, contextWindow: 8_000, vision: true, imageTokens: 2_048, price, targets },
      {
        id: "thinker",
        maxOutputTokens: 1_000,
        reasoning: { effortLevels: ["low", "high"], defaultEffort: "low" },
        tools: false,
        price,
        targets,
      },
    ],
    observer: (event) => events.push(event),
    ...options,
  });
  balances.credit({ id: "opening", account: "acme", amount: 1_000_000_000n, reason: "test" });
  return {
    gateway,
    provider,
    balances,
    keys,
    events,
    key: async (wanted = {}) => (await keys.create({ account: "acme", plan: "prepaid", ...wanted })).secret,
    chat: (secret, body = {}, init = {}) => gateway.fetch(chatRequest(secret, body, init)),
    models: (secret) =>
      gateway.fetch(new Request(`${base}/models`, { headers: { authorization: `Bearer ${secret}` } })),
  };
}

/** Returns a terms store and one version that is in force, for `options.terms`. */
export const termsUnderTest = () => ({
  store: memoryTermsStore(),
  versions: [
    {
      id: "terms-2",
      version: "2.0",
      enforcementAt: new Date("2026-01-01T00:00:00Z"),
      acceptUrl: "https://host.test/terms",
    },
  ],
});

function chatRequest(secret: string, body: object | string, init: RequestInit): Request {
  const small = { model: "plain", messages: [{ role: "user", content: "Hello" }] };
  const text = typeof body === "string" ? body : JSON.stringify({ ...small, ...body });
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json", ...init.headers };
  return new Request(`${base}/chat/completions`, { method: "POST", body: text, ...init, headers });
}

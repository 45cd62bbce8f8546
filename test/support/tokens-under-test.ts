import { assistants } from "@tollgate/assistants";
import { type BrowserTokenOptions, browserTokens, type NewBrowserToken } from "@tollgate/browser-tokens";
import {
  createGateway,
  type GatewayEvent,
  type GatewayOptions,
  memoryBalanceStore,
  memoryKeyStore,
  memorySessionStore,
  memoryUsageStore,
} from "@tollgate/core";
import type { ApiKey, BalanceStore, KeyAdmin, KeyStore, NewKey } from "@tollgate/core/store";
import { chunksOf, completionOf, scriptedProvider } from "./scripted-provider.ts";

/** The origin of the pages of the tests. */
export const page = "https://app.example";

/** The secret of the tokens of the tests. */
export const tokenSecret = "the-secret-of-browser-tokens-in-tests";

/** The stores of a gateway with tokens. */
export interface TokenStores {
  readonly keys: KeyStore & KeyAdmin;
  readonly balances: BalanceStore;
}

/** The options of {@link tokensUnderTest}, with defaults for all of them. */
export interface TokensUnderTestOptions extends Partial<Omit<GatewayOptions, "keys" | "balances" | "extensions">> {
  readonly stores?: TokenStores;
  readonly tokens?: Partial<BrowserTokenOptions>;
}

/** Sends a request of the page with a token, or with other headers. A plain object is sent as JSON. */
export type AskFromPage = (
  token: string,
  method: string,
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Response>;

/**
 * Creates a gateway with browser tokens and the assistant "support". An answer of the model "plain" costs 100 and one of "large"
 * costs 300, in nano-units, by the usage that the provider reports.
 */
export async function tokensUnderTest({ stores, tokens, ...options }: TokensUnderTestOptions = {}) {
  const { keys, balances } = stores ?? { keys: memoryKeyStore(), balances: memoryBalanceStore() };
  const usage = memoryUsageStore();
  const events: GatewayEvent[] = [];
  const provider = scriptedProvider({
    complete: async () => completionOf("Hello.", { prompt_tokens: 0, completion_tokens: 100 }),
    stream: () => chunksOf(["Hel", "lo."]),
  });
  const targets = [{ provider, model: "upstream-model" }];
  const gateway = createGateway({
    keys,
    balances,
    usage: { store: usage },
    plans: [{ id: "prepaid", billing: "prepaid", limits: { requests: { limit: 1_000 } } }],
    models: [
      { id: "plain", maxOutputTokens: 100, price: { input: "0", output: "0.001" }, targets },
      { id: "large", maxOutputTokens: 100, price: { input: "0", output: "0.003" }, targets },
    ],
    observer: (event) => events.push(event),
    ...options,
    extensions: [
      assistants({
        list: [{ id: "support", companyId: "company-1", model: "plain" }],
        sessions: memorySessionStore(),
        runner: { run: () => Promise.reject(new Error("No webhooks.")), checkTarget: async () => ({ allowed: true }) },
      }),
      browserTokens({ secret: tokenSecret, origins: [page], ...tokens }),
    ],
  });
  await balances.credit({ id: crypto.randomUUID(), account: "acme", amount: "1", reason: "test" });
  const ask: AskFromPage = (token, method, path, body, headers = { origin: page }) => {
    const all = { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers };
    const mountable = path.startsWith("/session") ? gateway.sessions : gateway;
    const url = `http://gateway.test${mountable === gateway ? "/router/v1" : ""}${path}`;
    return mountable.fetch(
      new Request(url, { method, headers: all, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    );
  };
  return {
    gateway,
    keys,
    balances,
    usage,
    events,
    provider,
    ask,
    chat: (token: string, body: object = {}, headers?: Readonly<Record<string, string>>) =>
      ask(token, "POST", "/chat/completions", { ...small, ...body }, headers),
    key: async (wanted: Partial<NewKey> = {}): Promise<{ readonly key: ApiKey; readonly secret: string }> =>
      keys.create({ account: "acme", plan: "prepaid", ...wanted }),
    /** Creates a key and a token of it. */
    async token(more: OfKey = {}, wanted: Partial<NewKey> = {}) {
      const { key, secret } = await keys.create({ account: "acme", plan: "prepaid", ...wanted });
      const { token } = await gateway.browserTokens.create({ ...more, keyId: key.id });
      return { key, secret, token };
    },
  };
}

type OfKey = Omit<Extract<NewBrowserToken, { readonly session?: never }>, "keyId">;

const small = { model: "plain", messages: [{ role: "user", content: "Hello" }], max_tokens: 100 };

/** Returns the status and the code of an answer; the code is undefined for one that is no error. */
export async function statusAndCode(answer: Response | Promise<Response>): Promise<readonly [number, unknown]> {
  const response = await answer;
  const text = await response.text();
  const parsed: { readonly error?: { readonly code?: unknown } } = text.startsWith("{") ? JSON.parse(text) : {};
  return [response.status, parsed.error?.code];
}

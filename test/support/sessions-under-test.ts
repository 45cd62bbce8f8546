import type { WebhookRunner } from "@tollgate/assistants";
import { assistants } from "@tollgate/assistants";
import {
  createGateway,
  type GatewayEvent,
  type GatewayOptions,
  type Mountable,
  memorySessionStore,
} from "@tollgate/core";
import type { SessionStore } from "@tollgate/core/store";
import { type GatewayUnderTest, gatewayUnderTest } from "./gateway-under-test.ts";
import { chunksOf, completionOf, scriptedProvider } from "./scripted-provider.ts";

/** The options of `sessionsUnderTest`, with defaults for all of them. */
export interface SessionsUnderTestOptions extends Partial<GatewayOptions> {
  readonly store?: SessionStore;
  readonly maxFormBytes?: number;
  /** The router whose keys and balances the session endpoints share. */
  readonly beside?: GatewayUnderTest;
}

/** Session endpoints on a store, with the assistant "support", and shortcuts for tests. */
export interface SessionsUnderTest {
  readonly sessions: Mountable;
  readonly store: SessionStore;
  readonly events: GatewayEvent[];
  readonly key: GatewayUnderTest["key"];
  /** The number of requests in flight. */
  running(): number;
  /** Sends a request with a key; a plain object is sent as JSON, FormData as multipart. */
  ask(secret: string, method: string, path: string, body?: object | string, init?: RequestInit): Promise<Response>;
  /** Creates a session through the endpoints. */
  create(secret: string, clientData?: object): Promise<{ readonly id: string }>;
}

/** Creates the endpoints; the assistant answers every message with "Hello.". */
export function sessionsUnderTest(options: SessionsUnderTestOptions = {}): SessionsUnderTest {
  const { store = memorySessionStore(), maxFormBytes = 1_048_576, beside = gatewayUnderTest(), ...more } = options;
  const events: GatewayEvent[] = [];
  const provider = scriptedProvider({
    complete: async () => completionOf("Hello."),
    stream: () => chunksOf(["Hel", "lo."]),
  });
  const { sessions, inFlight } = createGateway({
    keys: beside.keys,
    balances: beside.balances,
    plans: [{ id: "prepaid", billing: "prepaid", limits: { requests: { limit: 1_000 } } }],
    models: [{ id: "plain", maxOutputTokens: 100, price: "free", targets: [{ provider, model: "upstream-model" }] }],
    observer: (event) => events.push(event),
    ...more,
    extensions: [
      assistants({
        list: [{ id: "support", companyId: "company-1", model: "plain" }],
        sessions: store,
        runner: noWebhooks,
        maxFormBytes,
      }),
    ],
  });
  const ask: SessionsUnderTest["ask"] = (secret, method, path, body, init) =>
    sessions.fetch(requestOf(secret, method, path, body, init));
  return {
    sessions,
    store,
    events,
    key: beside.key,
    running: inFlight,
    ask,
    async create(secret, clientData = {}) {
      const made = await ask(secret, "POST", "/session", { assistant_id: "support", client_data: clientData });
      return made.json();
    },
  };
}

const noWebhooks: WebhookRunner = {
  run: () => Promise.reject(new Error("This assistant has no webhook.")),
  checkTarget: async () => ({ allowed: true }),
};

function requestOf(
  secret: string,
  method: string,
  path: string,
  body?: object | string,
  init: RequestInit = {},
): Request {
  const authorization = `Bearer ${secret}`;
  const url = `http://gateway.test${path}`;
  if (body instanceof FormData) return new Request(url, { method, headers: { authorization }, body, ...init });
  const headers = { authorization, "content-type": "application/json", ...init.headers };
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  return new Request(url, { method, ...init, headers, ...(text === undefined ? {} : { body: text }) });
}

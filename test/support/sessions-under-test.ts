import {
  type GatewayEvent,
  type GatewayOptions,
  type Mountable,
  memorySessionStore,
  type SessionStore,
} from "@tollgate/core";
import { assembleServices } from "../../packages/core/src/assemble-services.ts";
import type { Assistant } from "../../packages/core/src/assistant/assistant.ts";
import type { EndpointHandler } from "../../packages/core/src/edge/mount.ts";
import { sessionEndpoints } from "../../packages/core/src/sessions.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "./gateway-under-test.ts";

/** What of the session endpoints a test sets; the rest has the usual values. */
export interface SessionsUnderTestOptions extends Partial<GatewayOptions> {
  readonly store?: SessionStore;
  readonly maxFormBytes?: number;
  /** The router beside which they stand, with whose keys they work. */
  readonly beside?: GatewayUnderTest;
}

/** Session endpoints over a store, with the assistant "support", and the short cuts that tests want. */
export interface SessionsUnderTest {
  readonly sessions: Mountable;
  readonly store: SessionStore;
  readonly events: GatewayEvent[];
  readonly key: GatewayUnderTest["key"];
  /** Requests that are running now. */
  running(): number;
  /** Asks with a key; a plain object is sent as JSON, FormData as multipart. */
  ask(secret: string, method: string, path: string, body?: object | string, init?: RequestInit): Promise<Response>;
  /** A session made through the endpoints. */
  create(secret: string, clientData?: object): Promise<{ readonly id: string }>;
}

/** Makes them. */
export function sessionsUnderTest(options: SessionsUnderTestOptions = {}): SessionsUnderTest {
  const { store = memorySessionStore(), maxFormBytes = 1_048_576, beside = gatewayUnderTest(), ...more } = options;
  const events: GatewayEvent[] = [];
  const services = assembleServices({
    keys: beside.keys,
    balances: beside.balances,
    plans: [{ id: "prepaid", billing: "prepaid", limits: { requests: { limit: 1_000 } } }],
    models: [],
    observer: (event) => events.push(event),
    ...more,
  });
  const sessions = sessionEndpoints(
    { ...services, ...assistantServices, sessions: store, maxFormBytes },
    { basePath: "", turn: answerTurn },
  );
  const ask: SessionsUnderTest["ask"] = (secret, method, path, body, init) =>
    sessions.fetch(requestOf(secret, method, path, body, init));
  return {
    sessions,
    store,
    events,
    key: beside.key,
    running: () => services.inFlight.count,
    ask,
    async create(secret, clientData = {}) {
      const made = await ask(secret, "POST", "/session", { assistant_id: "support", client_data: clientData });
      return made.json();
    },
  };
}

const nothingToRedact = {
  text: (text: string) => text,
  json: <Value>(value: Value) => value,
  url: (url: string) => url,
};

const support: Assistant = {
  id: "support",
  companyId: "company-1",
  model: "plain",
  instructions: undefined,
  triggers: new Map(),
  secrets: {},
  redactor: nothingToRedact,
};

const assistantServices = {
  runner: {
    run: () => Promise.reject(new Error("No session endpoint sends a webhook.")),
    judge: async () => ({ allowed: true }) as const,
  },
  assistants: { current: () => new Map([[support.id, support]]) },
  turns: {
    maxRounds: 8,
    maxWebhooks: 16,
    parallelWebhooks: 4,
    webhookMs: 20_000,
    webhooksMs: 60_000,
    leaseMs: 60_000,
    historyLimit: 1_000,
  },
  sessionTtlMs: 2_592_000_000,
};

/** Stands in for the turn, which is tested elsewhere. */
const answerTurn: EndpointHandler = async ({ trail }, id) => ({
  status: 200,
  headers: trail.headers,
  body: `turn ${id}`,
});

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

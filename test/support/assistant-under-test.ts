import type { AssistantConfig, AssistantOptions, WithAssistants } from "@tollgate/assistants";
import { assistants } from "@tollgate/assistants";
import {
  createGateway,
  type Gateway,
  type GatewayEvent,
  type GatewayOptions,
  memoryBalanceStore,
  memoryKeyStore,
  memorySessionStore,
} from "@tollgate/core";
import type { NewKey, SessionStore } from "@tollgate/core/store";
import { webhookRunner } from "@tollgate/node";
import { type Mind, scriptOf } from "./scripted-model.ts";
import { type ScriptedProvider, scriptedProvider } from "./scripted-provider.ts";
import { type WebhookTarget, webhookTarget } from "./webhook-target.ts";

/** A gateway with one assistant, whose model is scripted and whose webhooks call a real server. */
export interface AssistantUnderTest {
  readonly gateway: Gateway & WithAssistants;
  readonly provider: ScriptedProvider;
  readonly target: WebhookTarget;
  readonly sessions: SessionStore;
  readonly balances: ReturnType<typeof memoryBalanceStore>;
  readonly events: GatewayEvent[];
  /** A key of the account "acme". */
  readonly secret: string;
  key(wanted?: Partial<NewKey>): Promise<string>;
  think(mind: Mind): void;
  /** Creates a session and returns its id. */
  session(clientData?: object): Promise<string>;
  say(id: string, body?: object, init?: RequestInit): Promise<Response>;
  /** Calls a session endpoint; `path` is relative to "/session". */
  ask(method: string, path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** The options of `assistantUnderTest`. */
export interface AssistantTestOptions {
  readonly assistant?: (target: WebhookTarget) => Partial<AssistantConfig>;
  readonly assistants?: Partial<AssistantOptions>;
  readonly gateway?: Partial<GatewayOptions>;
}

const base = "http://gateway.test/api";

/** Creates the gateway. The account "acme" has a balance of 1,000, and its key may make 1,000 requests per minute. */
export async function assistantUnderTest(options: AssistantTestOptions = {}): Promise<AssistantUnderTest> {
  const provider = scriptedProvider();
  const target = await webhookTarget();
  const sessions = options.assistants?.sessions ?? memorySessionStore();
  const keys = memoryKeyStore();
  const balances = memoryBalanceStore();
  const events: GatewayEvent[] = [];
  const gateway = createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid", limits: { requests: { limit: 1_000 } } }],
    models: [
      {
        id: "plain",
        maxOutputTokens: 100,
        contextWindow: 8_000,
        vision: true,
        imageTokens: 2_048,
        price: { input: "1000", output: "2000" },
        targets: [{ provider, model: "upstream-model" }],
      },
    ],
    observer: (event) => events.push(event),
    ...options.gateway,
    extensions: [
      assistants({
        list: [{ ...shopAssistant(target), ...options.assistant?.(target) }],
        sessions,
        runner: webhookRunner({ allowHttp: true, allowedTargets: [target.host] }),
        basePath: "/api",
        ...options.assistants,
      }),
    ],
  });
  balances.credit({ id: "opening", account: "acme", amount: 1_000_000_000_000n, reason: "test" });
  const key = async (wanted: Partial<NewKey> = {}) =>
    (await keys.create({ account: "acme", plan: "prepaid", ...wanted })).secret;
  const secret = await key();
  const ask = (method: string, path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${secret}`, ...Object.fromEntries(new Headers(init.headers)) };
    return gateway.sessions.fetch(new Request(`${base}/session${path}`, { method, ...init, headers }));
  };
  return {
    gateway,
    provider,
    target,
    sessions,
    balances,
    events,
    secret,
    key,
    think: (mind) => {
      provider.script = scriptOf(mind);
    },
    session: async (clientData) => {
      const body = JSON.stringify({ assistant_id: "shop", client_data: clientData });
      const response = await ask("POST", "", { body, headers: { "content-type": "application/json" } });
      const { id }: { id: string } = await response.json();
      return id;
    },
    say: (id, body = {}, init = {}) =>
      ask("POST", `/${id}/messages`, {
        ...init,
        headers: { "content-type": "application/json", ...Object.fromEntries(new Headers(init.headers)) },
        body: JSON.stringify({ content: "Where is my order?", ...body }),
      }),
    ask,
    close: () => target.close(),
  };
}

/** An assistant that looks up and places orders; its secret is sent in a header. */
export function shopAssistant(target: WebhookTarget): AssistantConfig {
  return {
    id: "shop",
    companyId: "company-1",
    model: "plain",
    instructions: "You help the customers of a shop.",
    secrets: { shop_key: "canary-secret-4711" },
    triggers: [
      {
        name: "find_order",
        description: "Looks an order up.",
        parameters: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
        webhook: {
          type: "WEBHOOK",
          url: `${target.url}/orders/$number?customer=$customer`,
          method: "GET",
          headers: [{ key: "authorization", value: "Bearer $shop_key" }],
          responseDirective: "Tell the state in one sentence.",
        },
      },
      {
        name: "place_order",
        description: "Places an order.",
        parameters: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
        webhook: {
          type: "WEBHOOK",
          url: `${target.url}/orders`,
          method: "POST",
          body: '{"item": $item, "pictures": $images, "session": "$session.id"}',
        },
      },
    ],
  };
}

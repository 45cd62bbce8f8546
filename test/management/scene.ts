import { createServer } from "node:http";
import { assistants } from "@tollgate/assistants";
import {
  createGateway,
  type GatewayOptions,
  memoryAuditLog,
  memoryBalanceStore,
  memoryContentStore,
  memoryKeyStore,
  memoryResponseStore,
  memorySessionStore,
  memoryTermsStore,
  memoryUsageStore,
} from "@tollgate/core";
import { type ManagementOptions, management, managementTokens } from "@tollgate/management";
import { nodeHandler, webhookRunner } from "@tollgate/node";
import { memoryPaymentStore } from "@tollgate/payments";
import { listen } from "../http/mounts/mount.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";
import { matchesDocument } from "./open-api.ts";

/** The prefix of the management API in a scene. */
export const prefix = "/manage";

/** The tokens of the operators in a scene, by role. */
export const tokens = {
  viewer: "viewer-token-0123456789",
  operator: "operator-token-0123456789",
  admin: "admin-token-0123456789",
} as const;

/** The `authorize` of a scene, which knows its tokens. */
export const authorizeTokens = managementTokens([
  { token: tokens.viewer, actor: "vera", role: "viewer" },
  { token: tokens.operator, actor: "otto", role: "operator" },
  { token: tokens.admin, actor: "ada", role: "admin" },
]);

/** An answer of the management API. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON body, or undefined for another type. */
  readonly json: unknown;
}

/** The optional parts of a request of a scene. */
export interface Ask {
  /** The operator who asks; "admin" when absent, and nobody for null. */
  readonly as?: keyof typeof tokens | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns memory stores of every kind. */
export const memoryStores = () => {
  const balances = memoryBalanceStore();
  return {
    keys: memoryKeyStore(),
    balances,
    accounts: balances,
    terms: memoryTermsStore(),
    usage: memoryUsageStore(),
    sessions: memorySessionStore(),
    responses: memoryResponseStore(),
    content: memoryContentStore(),
    payments: memoryPaymentStore({ balances }),
    audit: memoryAuditLog(),
  };
};

/** The stores of a scene. */
export type SceneStores = ReturnType<typeof memoryStores>;

/** Creates the gateway of a scene: the models "plain" and "org/large", the plan "prepaid", terms, and the assistant "support". */
export function sceneGateway(stores: SceneStores, options: Partial<GatewayOptions> = {}) {
  const targets = [
    { provider: scriptedProvider({ complete: async () => completionOf("Hello.") }), model: "upstream-model" },
  ];
  const price = { input: "1", output: "2" };
  return createGateway({
    keys: stores.keys,
    balances: stores.balances,
    plans: [
      { id: "prepaid", billing: "prepaid" },
      { id: "subscription", billing: "none" },
      { id: "limited", billing: "prepaid", dialects: ["chat"], spend: { limit: "5", window: "day" } },
    ],
    models: ["plain", "org/large"].map((id) => ({ id, maxOutputTokens: 1_000, price, targets })),
    terms: {
      store: stores.terms,
      versions: [{ id: "terms-1", version: "1.0", acceptUrl: "https://host.test/terms" }],
    },
    ...options,
    extensions: [
      assistants({
        list: [
          {
            id: "support",
            companyId: "company-1",
            model: "plain",
            triggers: [
              {
                name: "find_order",
                parameters: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
                webhook: {
                  type: "WEBHOOK",
                  url: "https://shop.test/orders/$number",
                  method: "POST",
                  headers: [{ key: "authorization", value: "Bearer $shop_key" }],
                  body: { customer: "$customer" },
                },
              },
            ],
            secrets: { shop_key: "canary-secret-4711" },
          },
        ],
        sessions: stores.sessions,
        runner: webhookRunner(),
      }),
    ],
  });
}

/** A management API on node:http. Declare it with `await using` to close it at the end of the scope. */
export interface Scene extends AsyncDisposable {
  readonly stores: SceneStores;
  readonly gateway: ReturnType<typeof sceneGateway>;
  readonly url: string;
  /** Sends a request. Every JSON answer is checked against the OpenAPI document. */
  ask(method: string, path: string, parts?: Ask): Promise<Answer>;
}

/** Creates a scene. */
export async function setScene(options: Partial<ManagementOptions> = {}): Promise<Scene> {
  const stores = memoryStores();
  const gateway = sceneGateway(stores);
  const api = management({ gateway, stores, authorize: authorizeTokens, observer: () => undefined, ...options });
  const host = await listen(createServer(nodeHandler(api, { prefix })));
  const url = `http://127.0.0.1:${host.port}${prefix}`;
  return {
    stores,
    gateway,
    url,
    async ask(method, path, { as = "admin", body, headers = {} } = {}) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          connection: "close",
          ...(as === null ? {} : { authorization: `Bearer ${tokens[as]}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        redirect: "manual",
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type") === "application/json";
      const json: unknown = isJson ? JSON.parse(text) : undefined;
      if (isJson) matchesDocument(method, path, response.status, json);
      return { status: response.status, headers: response.headers, text, json };
    },
    [Symbol.asyncDispose]: () => host.close(),
  };
}

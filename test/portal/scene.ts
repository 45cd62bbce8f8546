import { createServer } from "node:http";
import { nodeHandler } from "@tollgate/node";
import { type Customer, type PortalKeys, type PortalOptions, portal } from "@tollgate/portal";
import { listen } from "../http/mounts/mount.ts";
import { memoryStores, type SceneStores, sceneGateway } from "../management/scene.ts";

/** The prefix of the portal in a scene. */
export const prefix = "/account";

/** The people of a scene by the value of their cookie. */
export const people: Readonly<Record<string, Customer>> = {
  ann: { account: "acme", user: "ann", may: ["keys", "pay", "terms", "notices"] },
  bob: { account: "acme", user: "bob", may: [] },
  eve: { account: "globex", user: "eve", may: ["keys", "pay", "terms", "notices"] },
};

/** The login of the host, by a cookie. */
export const authorize: PortalOptions["authorize"] = (request) =>
  people[/person=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1] ?? ""];

/** The optional parts of a request of a scene. */
export interface Ask {
  /** Who asks; "ann" when absent, and nobody for null. */
  readonly as?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the tests read of answers. */
interface AnswerJson {
  readonly data: readonly {
    readonly id: string;
    readonly name: string;
    readonly reason: string;
    readonly accepted_at: string | null;
  }[];
  readonly key: { readonly id: string };
  readonly secret: string;
  readonly error: { readonly code: string; readonly message: string; readonly param: string };
  readonly frozen: boolean;
  readonly state: string;
  readonly spend: object | null;
  readonly expires_at: string | null;
  readonly email: string | null;
  readonly notices: boolean;
}

/** An answer of the portal. `json` is that of an answer in JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: AnswerJson;
}

/** A portal on node:http over memory stores. Declare it with `await using` to close it at the end of the scope. */
export interface Scene extends AsyncDisposable {
  readonly stores: SceneStores;
  readonly gateway: ReturnType<typeof sceneGateway>;
  readonly origin: string;
  ask(method: string, path: string, parts?: Ask): Promise<Answer>;
}

/** Creates a scene, whose customers create keys of the plan "prepaid"; none with `keys: null`. */
export async function setScene({
  keys = { plan: "prepaid" },
  ...options
}: Partial<Omit<PortalOptions, "keys">> & { readonly keys?: PortalKeys | null } = {}): Promise<Scene> {
  const stores = memoryStores();
  const gateway = sceneGateway(stores);
  const page = portal({
    gateway,
    stores: storesOf(stores),
    authorize,
    currency: "EUR",
    routerUrl: "/router/v1",
    observer: () => undefined,
    ...(keys !== null && { keys }),
    ...options,
  });
  const host = await listen(createServer(nodeHandler(page, { prefix })));
  const origin = `http://127.0.0.1:${host.port}`;
  return {
    stores,
    gateway,
    origin,
    async ask(method, path, { as = "ann", body, headers = {} } = {}) {
      const response = await fetch(`${origin}${prefix}${path}`, {
        method,
        headers: {
          connection: "close",
          "sec-fetch-site": "same-origin",
          ...(as === null ? {} : { cookie: `person=${as}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: "manual",
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type") === "application/json";
      return { status: response.status, headers: response.headers, text, json: JSON.parse(isJson ? text : "{}") };
    },
    [Symbol.asyncDispose]: () => host.close(),
  };
}

/** The stores that the portal takes. */
export const storesOf = ({ keys, accounts, balances, terms, usage, audit }: SceneStores) => ({
  keys,
  accounts,
  balances,
  terms,
  usage,
  audit,
});

import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";
import type { Mount, Variant } from "./mounts/mount.ts";
import { RawConnection } from "./raw-connection.ts";

/** The maxFormBytes of the session endpoints in a scene. */
export const maxFormBytes = 65_536;

/** A host with session endpoints and a router at different prefixes. Declare it with `await using` to close it at the end of the scope. */
export interface SessionScene extends AsyncDisposable {
  /** The URL of the host with the prefix of the session endpoints. */
  readonly url: string;
  readonly secret: string;
  /** Sends a request with `fetch`, which sets the headers of a body, and with a valid key. */
  ask(
    method: string,
    url: string,
    body?: BodyInit | null,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** Creates a session and returns its URL. */
  create(): Promise<string>;
  /** Returns the head of a request with a valid key. */
  head(method: string, path: string, headers?: Readonly<Record<string, string | number>>): string;
  /** Opens a new connection. */
  connect(): Promise<RawConnection>;
  /** Resolves to true if the host still answers. */
  lives(): Promise<boolean>;
}

/** Creates a scene; `prefix` is "" for the root. */
export async function setSessionScene(mount: Mount, variant: Variant, prefix: string): Promise<SessionScene> {
  const router = gatewayUnderTest();
  const { key, sessions } = sessionsUnderTest({ beside: router, maxFormBytes });
  const host = await mount.start({ "/router/v1": router.gateway, [prefix]: sessions }, variant);
  const secret = await key();
  const origin = `http://127.0.0.1:${host.port}`;
  const url = `${origin}${prefix}`;
  const connections: RawConnection[] = [];
  // A new connection for each request: a kept-alive connection would delay the close of the host.
  const common = { authorization: `Bearer ${secret}`, connection: "close" };
  const ask: SessionScene["ask"] = (method, target, body = null, headers = {}) =>
    fetch(target, { method, body, headers: { ...common, ...headers } });
  return {
    url,
    secret,
    ask,
    async create() {
      const json = { "content-type": "application/json" };
      const created = await ask("POST", `${url}/session`, '{"assistant_id":"support","client_data":{"a":1}}', json);
      return new URL(created.headers.get("location") ?? "", created.url).href;
    },
    head(method, path, headers = {}) {
      const lines = Object.entries({ host: "gateway.test", authorization: `Bearer ${secret}`, ...headers });
      const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      return `${method} ${prefix}${path} HTTP/1.1\r\n${text}\r\n`;
    },
    async connect() {
      const connection = await RawConnection.open(host.port);
      connections.push(connection);
      return connection;
    },
    lives: async () => (await ask("GET", `${origin}/router/v1/models`)).status === 200,
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection.leave();
      await host.close();
    },
  };
}

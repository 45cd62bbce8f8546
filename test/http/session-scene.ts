import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { sessionsUnderTest } from "../support/sessions-under-test.ts";
import type { Mount, Variant } from "./mounts/mount.ts";
import { RawConnection } from "./raw-connection.ts";

/** Bytes that the session endpoints of a scene take of a form. */
export const maxFormBytes = 65_536;

/** A host with session endpoints at a prefix, beside a router at another, and clients before it; closes when the scope that declares it with `await using` ends. */
export interface SessionScene extends AsyncDisposable {
  /** The address of the host, with the prefix of the session endpoints. */
  readonly url: string;
  readonly secret: string;
  /** Asks by `fetch`, which sets the headers of a body itself, with a good key. */
  ask(
    method: string,
    url: string,
    body?: BodyInit | null,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** The address of a new session. */
  create(): Promise<string>;
  /** The head of a request in bytes, with a good key. */
  head(method: string, path: string, headers?: Readonly<Record<string, string | number>>): string;
  /** A connection of its own. */
  connect(): Promise<RawConnection>;
  /** True when the host still answers. */
  lives(): Promise<boolean>;
}

/** Sets a scene; `prefix` is "" for the root. */
export async function setSessionScene(mount: Mount, variant: Variant, prefix: string): Promise<SessionScene> {
  const router = gatewayUnderTest();
  const { key, sessions } = sessionsUnderTest({ beside: router, maxFormBytes });
  const host = await mount.start({ "/router/v1": router.gateway, [prefix]: sessions }, variant);
  const secret = await key();
  const origin = `http://127.0.0.1:${host.port}`;
  const url = `${origin}${prefix}`;
  const connections: RawConnection[] = [];
  // A connection of its own for each: one that is kept would hold the host open.
  const common = { authorization: `Bearer ${secret}`, connection: "close" };
  const ask: SessionScene["ask"] = (method, target, body = null, headers = {}) =>
    fetch(target, { method, body, headers: { ...common, ...headers } });
  return {
    url,
    secret,
    ask,
    async create() {
      const json = { "content-type": "application/json" };
      const made = await ask("POST", `${url}/session`, '{"assistant_id":"support","client_data":{"a":1}}', json);
      return new URL(made.headers.get("location") ?? "", made.url).href;
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

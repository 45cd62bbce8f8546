import { type GatewayOptions, type OpenAICompatibleOptions, openaiCompatible } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { startUpstream, type Upstream } from "../upstream/upstream.ts";
import type { Host, Mount, Variant } from "./mounts/mount.ts";
import { RawConnection } from "./raw-connection.ts";

/** The prefix of the gateway in a scene. */
export const prefix = "/router/v1";

/** The maxBodyBytes of the gateway in a scene. */
export const maxBodyBytes = 65_536;

/** A host with a mounted gateway, its upstream and its clients. Declare it with `await using` to close it at the end of the scope. */
export interface Scene extends AsyncDisposable {
  readonly upstream: Upstream;
  /** Opens a new connection. */
  connect(): Promise<RawConnection>;
  /** Returns the bytes of a request, with a valid key unless the headers contain another. */
  request(method: string, path: string, body?: object | string, headers?: Readonly<Record<string, string>>): string;
  /** Returns the bytes of POST /chat/completions; the members override those of a small valid body. */
  chat(body?: object | string, headers?: Readonly<Record<string, string>>): string;
}

/** Creates a scene with one gateway at `prefix`. */
export async function setScene(mount: Mount, variant: Variant, options: Partial<GatewayOptions> = {}): Promise<Scene> {
  const upstream = await startUpstream();
  const { gateway, key } = gatewayBehind(upstream, "plain", options);
  return play(await mount.start({ [prefix]: gateway }, variant), upstream, await key());
}

/** Creates a scene whose upstream speaks these dialects besides chat completions. */
export async function setSceneOf(dialects: Dialects, mount: Mount, variant: Variant): Promise<Scene> {
  const upstream = await startUpstream();
  const { gateway, key } = gatewayBehind(upstream, "plain", {}, dialects);
  return play(await mount.start({ [prefix]: gateway }, variant), upstream, await key());
}

type Dialects = NonNullable<OpenAICompatibleOptions["dialects"]>;

/** Creates a gateway whose provider is the upstream. */
export function gatewayBehind(
  upstream: Upstream,
  model = "plain",
  options: Partial<GatewayOptions> = {},
  dialects: Dialects = [],
) {
  const provider = openaiCompatible({ baseURL: upstream.url, apiKey: "sk-upstream", dialects });
  const targets = [{ provider, model: "upstream-model" }];
  const models = [{ id: model, maxOutputTokens: 1_000, price: "free", targets } as const];
  return gatewayUnderTest({ models, maxBodyBytes, transport: pooledTransport(), ...options });
}

function play(host: Host, upstream: Upstream, secret: string): Scene {
  const connections: RawConnection[] = [];
  const request: Scene["request"] = (method, path, body, headers) =>
    requestBytes(method, path, body, { authorization: `Bearer ${secret}`, ...headers });
  return {
    upstream,
    request,
    chat: (body = {}, headers = {}) =>
      request("POST", `${prefix}/chat/completions`, typeof body === "string" ? body : { ...small, ...body }, headers),
    async connect() {
      const connection = await RawConnection.open(host.port);
      connections.push(connection);
      return connection;
    },
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection.leave();
      await host.close();
      await upstream.close();
    },
  };
}

const small = { model: "plain", messages: [{ role: "user", content: "Hello" }] };

function requestBytes(method: string, path: string, body: object | string | undefined, headers: object): string {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const length =
    text === undefined ? {} : { "content-length": Buffer.byteLength(text), "content-type": "application/json" };
  const lines = Object.entries({ host: "gateway.test", ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text ?? ""}`;
}

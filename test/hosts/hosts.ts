import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type Dispatcher, fetch, H2CClient, type RequestInit, type Response } from "undici";
import { certificate, certificateKey } from "../webhook/certificate.ts";
import type { CheckId } from "./checks.ts";
import { type Program, startHost } from "./host-process.ts";

/** A running host, and how a client reaches it. */
export interface RunningHost extends AsyncDisposable {
  send(path: string, init: RequestInit): Promise<Response>;
  output(): string;
}

/** An example of examples/hosts and how to start it. */
export interface Host {
  readonly name: string;
  /** Where it keeps keys, balances and sessions: SQLite at DATABASE_FILE, or PostgreSQL at DATABASE_URL. Default: SQLite. */
  readonly store?: "sqlite" | "postgres";
  /** The checks that it does not pass, each with the reason. */
  readonly without?: Partial<Readonly<Record<CheckId, string>>>;
  start(environment: Readonly<Record<string, string>>): Promise<RunningHost>;
}

type Connect = (origin: string) => Dispatcher;
const http1: Connect = () => new Agent();

/** Starts a program and returns it with a client of its protocol. */
export const serving =
  (program: Program, scheme = "http", connect: Connect = http1): Host["start"] =>
  async (environment) => {
    const host = await startHost(program, environment);
    const origin = `${scheme}://127.0.0.1:${host.port}`;
    const dispatcher = connect(origin);
    return {
      send: (path, init) => fetch(origin + path, { ...init, dispatcher }),
      output: host.output,
      async [Symbol.asyncDispose]() {
        await dispatcher.destroy();
        await host[Symbol.asyncDispose]();
      },
    };
  };

const built = (file: string): Program => ({ command: process.execPath, parameters: [`examples/hosts/dist/${file}`] });
const example = (name: string, folder: string): Host => ({ name, start: serving(built(`${folder}/server.js`)) });

function tls(): Program {
  const folder = join(tmpdir(), "tollgate-hosts/tls");
  mkdirSync(folder, { recursive: true });
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  writeFileSync(keyFile, certificateKey);
  writeFileSync(certFile, certificate);
  return { ...built("http2/server.js"), env: { TLS_KEY_FILE: keyFile, TLS_CERT_FILE: certFile } };
}

const trusting = { ca: certificate };

const onHttp2: Host["without"] = {
  explains: "Node does not report the responses of HTTP/2.",
  "413 while sending": "Node's HTTP/2 client refuses responses while it has more than 10 MB to send.",
};

/** The hosts whose packages are in the workspace. */
export const hosts: readonly Host[] = [
  example("Express 5", "express"),
  example("Express 4", "express-4"),
  example("Fastify 5", "fastify"),
  example("Hono on Node", "hono-node"),
  example("Koa", "koa"),
  example("h3 2", "h3-v2"),
  example("node:http", "node-http"),
  {
    name: "node:http2 over TLS",
    without: onHttp2,
    start: serving(tls(), "https", () => new Agent({ allowH2: true, connect: trusting })),
  },
  { name: "node:http2 over TLS, HTTP/1.1", start: serving(tls(), "https", () => new Agent({ connect: trusting })) },
  {
    name: "node:http2 without TLS",
    without: onHttp2,
    start: serving(built("h2c/server.js"), "http", (origin) => new H2CClient(origin)),
  },
];

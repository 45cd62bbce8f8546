import type { RuntimeName } from "./install-runtimes.ts";
import { versions } from "./versions.ts";

/** Something that a runtime cannot do: why, and the text that tells a host so. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/** A runtime, and where it differs from the others. */
export interface Runtime {
  readonly name: RuntimeName;
  /** For titles and tables, such as "Node 22.23.3". */
  readonly title: string;
  /** The mounts and probes that it cannot run, by name. */
  readonly refusals: Readonly<Record<string, Refusal>>;
  /** The name by which `pooledTransport()` says that it sends with `fetch` there. Absent: it sends with undici. */
  readonly withoutUndici?: string;
  /** True: a client that leaves a stream is noticed when the next frame is written to it. */
  readonly noticesLeavingLate?: boolean;
}

/** The mounts that every runtime is asked to serve. */
export const mounts = ["fetch", "Hono", "node:http", "Express", "Fastify"];

const onlyBun = (message: string): Runtime["refusals"] => ({ "bun:sqlite": { reason: "only Bun has it", message } });
const onlyBunInNode = onlyBun("Received protocol 'bun:'");

/** Every runtime of the suite. */
export const runtimes: readonly Runtime[] = [
  {
    name: "node-20",
    title: `Node ${versions["node-20"]}`,
    refusals: {
      ...onlyBunInNode,
      "node:sqlite": {
        reason: "Node 20 has none; use @photostructure/sqlite",
        message: "No such built-in module: node:sqlite",
      },
    },
  },
  { name: "node-22", title: `Node ${versions["node-22"]}`, refusals: onlyBunInNode },
  { name: "node-24", title: `Node ${versions["node-24"]}`, refusals: onlyBunInNode },
  { name: "node-26", title: `Node ${versions["node-26"]}`, refusals: onlyBunInNode },
  {
    name: "bun",
    title: `Bun ${versions.bun}`,
    withoutUndici: "bun",
    refusals: {
      "bun:sqlite": {
        reason: "its statements have no setReadBigInts; use node:sqlite",
        message:
          "such as one of bun:sqlite or better-sqlite3. Pass a DatabaseSync of node:sqlite, which Bun and Deno have",
      },
    },
  },
  {
    name: "deno",
    title: `Deno ${versions.deno}`,
    withoutUndici: "deno",
    refusals: onlyBun('Unsupported scheme "bun"'),
  },
  {
    name: "workerd",
    title: `workerd ${versions.workerd}`,
    withoutUndici: "workerd",
    noticesLeavingLate: true,
    refusals: {
      ...onlyBun('No such module "bun:sqlite"'),
      Fastify: {
        reason: "Fastify generates code, which workerd forbids; use Hono or fetch",
        message: "Code generation from strings disallowed for this context",
      },
      "node:sqlite": { reason: "its databases cannot be opened; use PostgreSQL", message: "Illegal constructor" },
      "@photostructure/sqlite": {
        reason: "workerd loads no native modules; use PostgreSQL",
        message: 'No such module "@photostructure/sqlite"',
      },
      webhookRunner: {
        reason: "requests cannot use a checked connection; pass a WebhookRunner of your own",
        message: "unguarded_runtime: this runtime opens connections that the runner cannot check",
      },
    },
  },
];

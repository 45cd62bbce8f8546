import type { TestProject } from "vitest/node";
import { hasRedisServer, OwnRedisServer } from "../redis/own-redis-server.ts";
import { listens } from "./free-port.ts";
import { OwnPostgres } from "./own-postgres.ts";

/** The URLs of the real services that the tests use; undefined if a service is not available on this machine. */
declare module "vitest" {
  export interface ProvidedContext {
    readonly postgres: string | undefined;
    readonly redis: string | undefined;
  }
}

/** A service for the tests: its URL, and a function that stops it if this run started it, or why it is missing. */
interface Service {
  readonly url?: string;
  readonly missing?: string;
  readonly stop?: () => Promise<void>;
}

/** The Vitest projects whose tests use no service, or only their own. */
const withoutServices: ReadonlySet<string> = new Set(["unit", "isolated", "site", "links", "soak"]);

/**
 * Finds or starts PostgreSQL and Redis for the whole run: `inject("postgres")` and `inject("redis")` return their URLs.
 * The variables TEST_POSTGRES_URL and TEST_REDIS_URL select other servers. At the end of the run it prints which
 * service was missing. A run of unit tests only does none of this.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (project.vitest.projects.every(({ name }) => withoutServices.has(name))) return undefined;
  const [postgres, redis] = await Promise.all([
    find("TEST_POSTGRES_URL", "postgres://postgres@127.0.0.1:5432/test", ownPostgres),
    find("TEST_REDIS_URL", "redis://127.0.0.1:6379", ownRedis),
  ]);
  project.provide("postgres", postgres.url);
  project.provide("redis", redis.url);
  return async () => {
    await Promise.all([postgres.stop?.(), redis.stop?.()]);
    for (const { missing } of [postgres, redis]) if (missing !== undefined) console.warn(missing);
  };
}

async function find(variable: string, standard: string, startOwn: () => Promise<Service>): Promise<Service> {
  const given = process.env[variable];
  const url = given ?? standard;
  const { hostname, port } = new URL(url);
  if (await listens(Number(port || new URL(standard).port), hostname)) return { url };
  if (given !== undefined)
    throw new Error(`The server at ${variable} is unreachable. Start it, or unset the variable.`);
  return startOwn();
}

async function ownPostgres(): Promise<Service> {
  try {
    const server = await OwnPostgres.start();
    return { url: server.url, stop: () => server.stop() };
  } catch (error) {
    return { missing: `Tests on PostgreSQL were skipped. ${error instanceof Error ? error.message : error}` };
  }
}

async function ownRedis(): Promise<Service> {
  if (!hasRedisServer) {
    return {
      missing: "Tests on Redis were skipped: no server listens on port 6379, and redis-server is not on the PATH.",
    };
  }
  const server = await OwnRedisServer.start();
  return { url: server.url, stop: () => server.stop() };
}

import { callWebhooks } from "./call-webhooks.ts";
import { chargeThrough } from "./charge-through.ts";
import { sendPooled } from "./send-pooled.ts";

/** The servers that the probes connect to. */
export interface ProbeSettings {
  /** The upstream of the mounts, which a test directs. */
  readonly upstreamURL: string;
  /** An upstream that answers by itself. */
  readonly mockURL: string;
  /** The host and port of a target of webhooks on 127.0.0.1. */
  readonly webhookHost: string;
  /** The name and port of one with TLS, which only the certificate knows. */
  readonly secureWebhookHost: string;
  readonly certificate: string;
  readonly postgresURL: string;
}

/**
 * What is tried inside the runtime because it needs no mount: the drivers of databases, and what @tollgate/node connects.
 * Each loads its packages itself, since some are missing in some runtimes.
 */
const probes: Readonly<Record<string, (settings: ProbeSettings) => Promise<unknown>>> = {
  async "node:sqlite"(settings) {
    const { DatabaseSync } = await import("node:sqlite");
    const { sqliteStores } = await import("@tollgate/sqlite");
    return await chargeThrough(sqliteStores(new DatabaseSync(":memory:")), settings);
  },
  async "@photostructure/sqlite"(settings) {
    const { DatabaseSync } = await import("@photostructure/sqlite");
    const { sqliteStores } = await import("@tollgate/sqlite");
    return await chargeThrough(sqliteStores(new DatabaseSync(":memory:")), settings);
  },
  async "bun:sqlite"() {
    const { Database } = await import("bun:sqlite");
    const { sqliteStores } = await import("@tollgate/sqlite");
    return sqliteStores(new Database(":memory:"));
  },
  async PostgreSQL(settings) {
    const { Pool } = await import("pg");
    const { postgresStores } = await import("@tollgate/postgres");
    const pool = new Pool({ connectionString: settings.postgresURL });
    const stores = await postgresStores(pool);
    return await chargeThrough(stores, settings).finally(() => stores.close().then(() => pool.end()));
  },
  pooledTransport: sendPooled,
  webhookRunner: callWebhooks,
};

/** Answers `GET /<probe>`. */
export async function answerProbe(request: Request, settings: ProbeSettings): Promise<Response> {
  const warnings: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void warnings.push(text);
  try {
    const probe = probes[decodeURIComponent(new URL(request.url).pathname.slice(1))];
    return Response.json({ done: await probe?.(settings), warnings });
  } catch (error) {
    return Response.json({ error: error instanceof Error ? error.message : String(error) });
  } finally {
    console.warn = warn;
  }
}

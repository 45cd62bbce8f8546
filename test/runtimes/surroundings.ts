import { once } from "node:events";
import { createServer } from "node:https";
import { migratePostgres } from "@tollgate/postgres";
import { Client, Pool } from "pg";
import { type WebhookTarget, webhookTarget } from "../support/webhook-target.ts";
import { type MockUpstream, startMockUpstream } from "../upstream/mock-upstream.ts";
import { startUpstream, type Upstream } from "../upstream/upstream.ts";
import { certificate, certificateKey } from "../webhook/certificate.ts";
import type { ProbeSettings } from "./hosts/probes/answer-probe.ts";

/** The servers that the hosts of a runtime connect to. */
export interface Surroundings extends AsyncDisposable {
  readonly settings: ProbeSettings;
  /** Answers as a test directs. */
  readonly upstream: Upstream;
  /** Answers by itself. */
  readonly mock: MockUpstream;
  readonly webhooks: WebhookTarget;
  /** Connected to the database in `settings`, which exists as long as this. */
  readonly pool: Pool;
}

/** Starts the servers, and creates a database on the PostgreSQL server at the URL. */
export async function openSurroundings(postgresURL: string | undefined): Promise<Surroundings> {
  const database = await createDatabase(postgresURL);
  const [upstream, mock, webhooks, secure] = await Promise.all([
    startUpstream(),
    startMockUpstream(),
    webhookTarget(),
    startSecureTarget(),
  ]);
  return {
    settings: {
      upstreamURL: upstream.url,
      mockURL: mock.url,
      webhookHost: webhooks.host,
      secureWebhookHost: secure.host,
      certificate,
      postgresURL: database.url,
    },
    upstream,
    mock,
    webhooks,
    pool: database.pool,
    async [Symbol.asyncDispose]() {
      await Promise.all([upstream.close(), mock.close(), webhooks.close(), secure.close()]);
      await database.drop();
    },
  };
}

/** An https server for webhooks, with the certificate of the tests. */
async function startSecureTarget() {
  const server = createServer({ cert: certificate, key: certificateKey }, (request, response) => {
    request.resume().once("end", () => response.end(`${request.method} ${request.headers.host}`));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address === null || typeof address === "string" ? 0 : address.port;
  return {
    host: `billing.internal:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** The stores use their own default schema, so the suite needs a database of its own. */
async function createDatabase(serverURL: string | undefined) {
  if (serverURL === undefined) throw new Error("The runtimes need PostgreSQL. Start it, or set TEST_POSTGRES_URL.");
  const name = `runtimes_${crypto.randomUUID().replaceAll("-", "")}`;
  const server = new Client({ connectionString: serverURL });
  await server.connect();
  await server.query(`CREATE DATABASE ${name}`);
  const url = new URL(serverURL);
  url.pathname = `/${name}`;
  const pool = new Pool({ connectionString: url.href });
  // The end of the database ends connections that are still closing.
  pool.on("error", () => undefined);
  await migratePostgres(pool);
  return {
    url: url.href,
    pool,
    async drop() {
      await pool.end();
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await server.end();
    },
  };
}

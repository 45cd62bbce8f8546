import { once } from "node:events";
import { createServer } from "node:https";
import type { Pool } from "pg";
import { createDatabase } from "../support/create-database.ts";
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

import { createServer } from "node:http";
import { createGateway } from "@tollgate/core";
import type { KeyStore } from "@tollgate/core/store";
import { nodeHandler } from "@tollgate/node";
import { postgresStores } from "@tollgate/postgres";
import { Pool } from "pg";
import { listen } from "../../http/mounts/mount.ts";
import { answeringProvider } from "../dialects/answering-provider.ts";
import { readTask } from "./task.ts";

/** The task of a process that serves a gateway, with all its records in PostgreSQL. */
export interface GatewayTask {
  readonly url: string;
  readonly schema: string;
  /** The price of a request. */
  readonly price: string;
}

const { url, schema, price: request } = readTask<GatewayTask>();
void serve();

async function serve(): Promise<void> {
  const pool = new Pool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 2_000,
    query_timeout: 3_000,
  }).on("error", () => undefined);
  const { keys, balances, limiter } = await postgresStores(pool, { schema, migrate: false });
  const gateway = createGateway({
    keys: withoutCache(keys),
    balances,
    limiter,
    plans: [
      {
        id: "prepaid",
        billing: "prepaid",
        limits: { requests: { limit: 1_000_000 }, tokens: { limit: 1_000_000_000 }, concurrency: 1_000 },
      },
    ],
    models: [
      {
        id: "model",
        maxOutputTokens: 100,
        contextWindow: 8_000,
        price: { input: "0", output: "0", request },
        targets: [{ provider: answeringProvider(40, true), model: "upstream-model" }],
      },
    ],
    money: { leaseMs: 4_000 },
    observer: () => undefined,
  });
  const { port } = await listen(createServer(nodeHandler(gateway, { prefix: "/router/v1" })));
  process.send?.({ port });
}

/** A key store that reports a change of each key after it was read, so that every request reads its key from the database. */
function withoutCache(keys: KeyStore): KeyStore {
  const listeners = new Set<(keyId: string | undefined) => void>();
  return {
    async find(presented) {
      const key = await keys.find(presented);
      setImmediate(() => {
        for (const listener of listeners) listener(key?.id);
      });
      return key;
    },
    get: (keyId) => keys.get(keyId),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

import { anthropic } from "@tollgate/anthropic";
import { createGateway, type Gateway, type GatewayEvent, openaiCompatible } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { type PostgresStores, postgresStores } from "@tollgate/postgres";
import { redisLimiter } from "@tollgate/redis";
import { Pool } from "pg";
import { createClient } from "redis";
import { prices } from "../upstream/planned-answer.ts";
import { type GatewayTask, maxConnections } from "./gateway-task.ts";
import { mutate } from "./mutations.ts";

/** A gateway with its stores, and a function that closes their connections. */
export interface OpenGateway {
  readonly gateway: Gateway;
  readonly stores: PostgresStores;
  close(): Promise<void>;
}

/** Opens a gateway with every shared store, and models of each API of the upstream. */
export async function openGateway(task: GatewayTask, observer: (event: GatewayEvent) => void): Promise<OpenGateway> {
  const pool = new Pool({
    connectionString: task.postgres,
    max: maxConnections.postgres,
    connectionTimeoutMillis: task.storeTimeoutMs,
    statement_timeout: task.storeTimeoutMs,
    query_timeout: task.storeTimeoutMs + 1_000,
  });
  // Without an error listener, the end of an idle connection ends the process.
  pool.on("error", () => undefined);
  const redis = createClient({ url: task.redis });
  redis.on("error", () => undefined);
  redis.connect().catch(() => undefined);
  const stores = await postgresStores(pool, { schema: task.schema, migrate: task.migrate });
  const { keys, balances, usage, responses } = stores;
  const transport = pooledTransport({ connections: maxConnections.upstream });
  const gateway = createGateway({
    keys,
    ...mutate({ balances, observer }, task.mutation),
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: modelsAt(task.upstream),
    limiter: redisLimiter(redis, { prefix: task.schema, expectedProcesses: 2 }),
    transport,
    storeTimeoutMs: task.storeTimeoutMs,
    usage: { store: usage },
    responses: { store: responses },
    notices: { outbox: balances },
    money: { leaseMs: task.leaseMs },
    upstream: { firstFrameMs: 5_000, idleMs: 3_000, totalMs: 10_000 },
    routing: { retries: 2, backoffMs: 5, breaker: { threshold: 50 } },
  });
  return {
    gateway,
    stores,
    close: async () => {
      await transport.close();
      await stores.close();
      await pool.end();
      redis.destroy();
    },
  };
}

/** The models, by the API that their upstream speaks. */
function modelsAt(baseURL: string) {
  const account = { baseURL, apiKey: "upstream-key" };
  const openai = (dialects: readonly ("responses" | "embeddings")[]) => openaiCompatible({ ...account, dialects });
  const chat = { maxOutputTokens: 100, contextWindow: 8_000, price: prices.chat };
  return [
    { id: "claude", ...chat, targets: [{ provider: anthropic(account), model: "upstream-claude" }] },
    { id: "gpt", ...chat, targets: [{ provider: openai(["responses"]), model: "upstream-gpt" }] },
    { id: "plain", ...chat, targets: [{ provider: openai([]), model: "upstream-plain" }] },
    {
      id: "embedder",
      kind: "embedding" as const,
      contextWindow: 8_000,
      price: prices.embedding,
      targets: [{ provider: openai(["embeddings"]), model: "upstream-embedder" }],
    },
  ];
}

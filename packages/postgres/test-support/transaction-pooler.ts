import { Client } from "pg";
import type { PostgresConnection, PostgresPool, PostgresResult, PostgresStatement } from "../src/index.ts";

/**
 * Behaves like PgBouncer in transaction mode: each transaction uses a different connection than the one before, without
 * the session state of earlier transactions.
 */
export async function transactionPooler(url: string, size = 3): Promise<PostgresPool & { end(): Promise<void> }> {
  const clients = Array.from({ length: size }, () => new Client({ connectionString: url }));
  for (const client of clients) client.on("error", () => undefined);
  await Promise.all(clients.map((client) => client.connect()));
  const idle = [...clients];
  const waiting: ((client: Client) => void)[] = [];

  const take = (): Promise<Client> => {
    const client = idle.shift();
    return client === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(client);
  };
  const releaseClient = async (client: Client): Promise<void> => {
    await client.query("DISCARD ALL");
    const next = waiting.shift();
    if (next === undefined) idle.push(client);
    else next(client);
  };

  const query = async (statement: PostgresStatement): Promise<PostgresResult> => {
    const client = await take();
    try {
      return await client.query(statement);
    } finally {
      await releaseClient(client);
    }
  };
  return {
    query,
    connect: async () => connectionOf(take, releaseClient, query),
    end: async () => void (await Promise.all(clients.map((client) => client.end()))),
  };
}

/** A client connection to the pooler. It has a server connection only while a transaction is open. */
function connectionOf(
  take: () => Promise<Client>,
  releaseClient: (client: Client) => Promise<void>,
  query: (statement: PostgresStatement) => Promise<PostgresResult>,
): PostgresConnection {
  let inTransaction: Client | undefined;
  return {
    query: async (statement) => {
      if (statement.text.startsWith("BEGIN")) inTransaction = await take();
      if (inTransaction === undefined) return query(statement);
      const client = inTransaction;
      const result = await client.query(statement);
      if (!/^(COMMIT|ROLLBACK)/.test(statement.text)) return result;
      inTransaction = undefined;
      await releaseClient(client);
      return result;
    },
    on: () => undefined,
    off: () => undefined,
    release: () => undefined,
  };
}

import { createGateway, openaiCompatible } from "@tollgate/core";
import { postgresStores } from "@tollgate/postgres";
import { Pool } from "pg";

interface Environment {
  readonly DATABASE_URL: string;
  readonly OPENAI_BASE_URL: string;
  readonly OPENAI_API_KEY: string;
}

interface Context {
  waitUntil(work: Promise<unknown>): void;
}

export default {
  async fetch(request: Request, env: Environment, context: Context): Promise<Response> {
    const pool = new Pool({ connectionString: env.DATABASE_URL });
    pool.on("error", (error) => console.error(`PostgreSQL: ${error.message}`));
    const { keys, balances, usage } = await postgresStores(pool, { prefix: "acme", migrate: false });
    const openai = openaiCompatible({ baseURL: env.OPENAI_BASE_URL, apiKey: env.OPENAI_API_KEY });
    const gateway = createGateway({
      keys,
      balances,
      usage: { store: usage },
      plans: [{ id: "prepaid", billing: "prepaid" }],
      models: [
        {
          id: "acme-small",
          contextWindow: 400_000,
          maxOutputTokens: 64_000,
          price: { input: "0.25", output: "2" },
          targets: [{ provider: openai, model: "gpt-5-mini" }],
        },
      ],
    });
    const response = await gateway.fetch(request, { waitUntil: (work) => context.waitUntil(work) });
    // Waits for the end of a stream, records its usage, and closes the connections.
    context.waitUntil(gateway.drain({ timeoutMs: 600_000 }).finally(() => pool.end()));
    return response;
  },
};

import { assistants, type WebhookRunner } from "@tollgate/assistants";
import { createGateway, openaiCompatible } from "@tollgate/core";
import { postgresStores } from "@tollgate/postgres";
import { Pool } from "pg";

const noWebhooks: WebhookRunner = {
  run: () => Promise.reject(new Error("No assistant has a webhook.")),
  checkTarget: async () => ({ allowed: false, reason: "No assistant has a webhook." }),
};

/** Opens a gateway for one request. `close` waits for the end of its stream and its charge. */
export async function openGateway(env: Env) {
  const pool = new Pool({ connectionString: env.DATABASE_URL });
  pool.on("error", (error) => console.error(`PostgreSQL: ${error.message}`));
  const { keys, balances, sessions } = await postgresStores(pool, { prefix: "acme", migrate: false });
  const provider = openaiCompatible({ baseURL: env.OPENAI_BASE_URL, apiKey: env.OPENAI_API_KEY });
  const target = { provider, model: "gpt-5-mini" };
  const price = { input: "0.25", output: "2" };
  const gateway = createGateway({
    keys,
    balances,
    maxBodyBytes: 1024 * 1024,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [{ id: "acme-small", maxOutputTokens: 64_000, price, targets: [target] }],
    extensions: [
      assistants({
        list: [{ id: "order-desk", companyId: "acme", model: "acme-small", instructions: "You are the order desk." }],
        sessions,
        runner: noWebhooks,
      }),
    ],
  });
  const close = () => gateway.drain({ timeoutMs: 600_000 }).finally(() => pool.end());
  return { gateway, close };
}

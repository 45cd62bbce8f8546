import { DatabaseSync } from "@photostructure/sqlite"; // from Node 22 on, "node:sqlite" has the same class
import { createGateway, openaiCompatible } from "@tollgate/core";
import { assistants } from "@tollgate/core/assistants";
import { pooledTransport, webhookRunner } from "@tollgate/node";
import { privateFile, sqliteStores } from "@tollgate/sqlite";

const database = new DatabaseSync(privateFile(process.env["DATABASE_FILE"] ?? ".tollgate/acme.db"));
const { keys, balances, sessions } = sqliteStores(database, { prefix: "acme" });

const openai = openaiCompatible({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});

export const gateway = createGateway({
  keys,
  balances,
  transport: pooledTransport(),
  maxBodyBytes: 1024 * 1024,
  plans: [{ id: "prepaid", billing: "prepaid" }],
  models: [
    {
      id: "acme-small",
      maxOutputTokens: 64_000,
      price: { input: "0.25", output: "2" },
      targets: [{ provider: openai, model: "gpt-5-mini" }],
    },
  ],
  assistants: assistants({
    list: [{ id: "order-desk", companyId: "acme", model: "acme-small", instructions: "You are the order desk." }],
    sessions,
    runner: webhookRunner(),
  }),
});

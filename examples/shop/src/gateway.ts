import { DatabaseSync } from "@photostructure/sqlite"; // from Node 22 on, "node:sqlite" has the same class
import { assistants } from "@tollgate/assistants";
import { createGateway, type GatewayOptions, type NoticeOptions, openaiCompatible } from "@tollgate/core";
import { pooledTransport, webhookRunner } from "@tollgate/node";
import { privateFile, sqliteStores } from "@tollgate/sqlite";

export const database = new DatabaseSync(privateFile(process.env["DATABASE_FILE"] ?? ".tollgate/acme.db"));
export const { keys, balances, terms, sessions, usage, audit } = sqliteStores(database, { prefix: "acme" });

const openai = openaiCompatible({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});

export const options = {
  keys,
  balances,
  usage: { store: usage },
  transport: pooledTransport(),
  plans: [{ id: "prepaid", billing: "prepaid", limits: { requests: { limit: 600 } } }],
  models: [
    {
      id: "acme-small",
      contextWindow: 400_000,
      maxOutputTokens: 64_000,
      price: { input: "0.25", cachedInput: "0.025", output: "2" },
      targets: [{ provider: openai, model: "gpt-5-mini" }],
    },
  ],
} satisfies GatewayOptions;

export const gateway = createGateway({
  ...options,
  maxBodyBytes: 1024 * 1024,
  terms: {
    store: terms,
    versions: [
      {
        id: "terms-2026-01",
        version: "January 2026",
        enforcementAt: new Date("2026-01-01T00:00:00Z"),
        acceptUrl: "https://acme.example/terms",
      },
    ],
  },
  notices: { outbox: balances, lowBalance: "1.00", ...mails() },
  extensions: [
    assistants({
      list: [{ id: "order-desk", companyId: "acme", model: "acme-small", instructions: "You are the order desk." }],
      sessions,
      runner: webhookRunner(),
    }),
  ],
});

/** Sends notices to the endpoint of this server that mails them, if it has a signing secret. */
function mails(): Partial<NoticeOptions> {
  const secret = process.env["NOTICES_SECRET"];
  if (secret === undefined) return {};
  const host = `127.0.0.1:${process.env["PORT"] ?? 8787}`;
  const runner = webhookRunner({ allowedTargets: [host] });
  return { runner, endpoints: [{ name: "mail", url: `http://${host}/notices`, secret }] };
}

import { createServer } from "node:http";
import { createClient } from "@clickhouse/client";
import { clickhouseContentStore, clickhouseUsageStore, migrateClickHouse } from "@tollgate/clickhouse";
import { createGateway, memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";
import { nodeHandler } from "@tollgate/node";

const clickhouse = createClient({ url: process.env["CLICKHOUSE_URL"] ?? "http://127.0.0.1:8123" });
await migrateClickHouse(clickhouse, { usageDays: 365, contentDays: 30 });
const usage = clickhouseUsageStore(clickhouse);

const openai = openaiCompatible({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});
const keys = memoryKeyStore();
const gateway = createGateway({
  keys,
  balances: memoryBalanceStore(),
  usage: { store: usage, retentionDays: 365 },
  content: { store: clickhouseContentStore(clickhouse) },
  plans: [{ id: "internal", billing: "none" }],
  models: [
    {
      id: "acme-small",
      maxOutputTokens: 64_000,
      price: "free",
      logContent: true,
      targets: [{ provider: openai, model: "gpt-5-mini" }],
    },
  ],
});
const { secret } = await keys.create({ account: "customer-17", plan: "internal" });

const port = Number(process.env["PORT"] ?? 8787);
const server = createServer(nodeHandler(gateway, { prefix: "/router/v1" }));
server.listen(port, "127.0.0.1", () => console.log(`API key: ${secret}`));
server.on("error", (cause) => {
  throw new Error(`Port ${port} cannot be used. Free it, or set another one as PORT.`, { cause });
});

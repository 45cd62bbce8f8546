import { serve } from "@hono/node-server";
import { createGateway, memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";
import { tollgate } from "@tollgate/hono";
import { Hono } from "hono";

const openai = openaiCompatible({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});
const keys = memoryKeyStore();
const gateway = createGateway({
  keys,
  balances: memoryBalanceStore(),
  plans: [{ id: "internal", billing: "none" }],
  models: [
    {
      id: "acme-small",
      maxOutputTokens: 64_000,
      price: "free",
      targets: [{ provider: openai, model: "gpt-5-mini" }],
    },
  ],
});
const { secret } = await keys.create({ account: "customer-17", plan: "internal" });

const app = new Hono();
app.use("/router/v1/*", tollgate(gateway));
const port = Number(process.env["PORT"] ?? 8787);
const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => console.log(`API key: ${secret}`));
server.on("error", (cause: Error) => {
  throw new Error(`Port ${port} cannot be used. Free it, or set another one as PORT.`, { cause });
});

import { createServer } from "node:http";
import { createGateway, memoryBalanceStore, memoryKeyStore } from "@tollgate/core";
import { google } from "@tollgate/google";
import { nodeHandler } from "@tollgate/node";

const gemini = google({ apiKey: process.env["GEMINI_API_KEY"] ?? "" });
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
      targets: [{ provider: gemini, model: "gemini-2.5-pro" }],
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

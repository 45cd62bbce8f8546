import {
  createGateway,
  memoryAuditLog,
  memoryBalanceStore,
  memoryKeyStore,
  memoryUsageStore,
  openaiCompatible,
} from "@tollgate/core";
import { tollgate } from "@tollgate/express";
import { management, managementTokens } from "@tollgate/management";
import express from "express";

const openai = openaiCompatible({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});
const [keys, balances, usage, audit] = [memoryKeyStore(), memoryBalanceStore(), memoryUsageStore(), memoryAuditLog()];
const gateway = createGateway({
  keys,
  balances,
  usage: { store: usage },
  plans: [{ id: "prepaid", billing: "prepaid" }],
  models: [
    {
      id: "acme-small",
      maxOutputTokens: 64_000,
      price: { input: "0.25", output: "2" },
      targets: [{ provider: openai, model: "gpt-5-mini" }],
    },
  ],
});
const api = management({
  gateway,
  stores: { keys, accounts: balances, balances, usage, audit },
  authorize: managementTokens([{ token: process.env["ADMIN_TOKEN"] ?? "", actor: "deploy-script", role: "admin" }]),
  currency: "USD",
});

const app = express();
app.use("/router/v1", tollgate(gateway));
app.use("/manage", tollgate(api));
const port = Number(process.env["PORT"] ?? 8787);
app.listen(port, "127.0.0.1", (error) => {
  if (error) throw new Error(`Port ${port} cannot be used. Free it, or set another one as PORT.`, { cause: error });
  console.log(`Management API: http://127.0.0.1:${port}/manage`);
});

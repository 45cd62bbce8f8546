import { createServer } from "node:http";
import { parseAmount } from "@tollgate/core";
import { nodeHandler } from "@tollgate/node";
import { balances, gateway, keys } from "./gateway.ts";

const port = Number(process.env["PORT"] ?? 8791);
const { secret } = await keys.create({ account: "acme", plan: "prepaid" });
balances.credit({ id: "opening", account: "acme", amount: parseAmount("10"), reason: "example" });
const server = createServer(nodeHandler(gateway, { prefix: "/router/v1" }));
server.listen(port, "127.0.0.1", () => {
  console.log(`The gateway is at http://127.0.0.1:${port}/router/v1. Its key is ${secret}.`);
  console.log("Prometheus scrapes http://127.0.0.1:9464/metrics.");
});
server.on("error", (cause) => {
  throw new Error(`Port ${port} cannot be used. Free it, or set another one as PORT.`, { cause });
});

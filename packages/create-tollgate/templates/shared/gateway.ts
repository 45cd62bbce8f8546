import { createGateway } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { target } from "./provider.ts";
import { balances, keys, usage } from "./stores.ts";

export const gateway = createGateway({
  keys,
  balances,
  usage: { store: usage },
  transport: pooledTransport(),
  plans: [{ id: "prepaid", billing: "prepaid" }],
  models: [
    {
      id: "acme-small", // the name that your clients send
      maxOutputTokens: 64_000,
      price: { input: "0.25", output: "2" }, // what you charge for a million tokens
      targets: [target],
    },
  ],
});

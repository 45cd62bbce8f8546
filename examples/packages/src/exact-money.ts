import { once } from "node:events";
import { createServer } from "node:http";
import { createGateway, memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";
import type { Entry as LedgerEntry } from "@tollgate/core/store";
import { type Driver, type Entry, perMillion, runCommand, type SuiteModel } from "@tollgate/exact-money";
import { nodeHandler } from "@tollgate/node";

const acme: Driver = {
  name: "acme",
  async start({ upstream, models, plans }) {
    const [keys, balances] = [memoryKeyStore(), memoryBalanceStore()];
    const provider = openaiCompatible({ baseURL: upstream.url, apiKey: upstream.apiKey });
    const configured = ({ id, upstreamModel, maxOutput, prices }: SuiteModel) => ({
      id,
      maxOutputTokens: maxOutput,
      price: { input: perMillion(prices.input), output: perMillion(prices.output) },
      targets: [{ provider, model: upstreamModel }],
    });
    const gateway = createGateway({
      keys,
      balances,
      plans: plans.map(({ id }) => ({ id, billing: "prepaid" })),
      models: models.filter(({ api }) => api === "chat").map(configured),
    });
    const server = createServer(nodeHandler(gateway, { prefix: "/v1" }));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return {
      url: `http://127.0.0.1:${port}/v1`,
      abilities: {
        accounts: {
          async createKey({ account, plan = "standard" }) {
            const { key, secret } = await keys.create({ account, plan });
            return { id: key.id, secret };
          },
          credit: async (credit) => void balances.credit({ ...credit, reason: "exact-money" }),
          balance: async (account) => balances.balance(account),
          entries: async (account) => (await balances.entries({ account, limit: 1_000 })).entries.map(entryOf),
        },
      },
      async stop() {
        server.close().closeAllConnections();
      },
    };
  },
};

function entryOf({ kind, amount, reference }: LedgerEntry): Entry {
  const isCharge = kind === "charge" || kind === "expiry" || kind === "late";
  return { kind: isCharge ? "charge" : kind === "credit" ? "credit" : "other", amount, reference };
}

process.exitCode = await runCommand(process.argv.slice(2), [acme]);

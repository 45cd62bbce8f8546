// Calls the store of one database from one of several processes, for the given time and at least until it has placed
// the given number of holds. Prints the counts of the outcomes.
import { DatabaseSync } from "@photostructure/sqlite";
import { sqliteStores } from "@tollgate/sqlite";

const [file, account, keyId, seconds, holds] = process.argv.slice(2);
const { balances } = sqliteStores(new DatabaseSync(file));
const until = Date.now() + Number(seconds) * 1_000;
const receipt = { requestId: "req-1", model: "model-1", dialect: "chat" };
const plainHold = { leaseMs: 60_000, terms: [], receipt, spend: {}, notices: undefined };
const charge = {
  provider: "provider-1",
  upstreamModel: "upstream-1",
  tokens: { input: 1, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1, reasoning: 0 },
  basis: "reported",
  prices: { input: 1n, cachedInput: 1n, cacheWrite5m: 1n, cacheWrite1h: 1n, output: 1n, request: 0n },
  durationMs: 1,
  status: "complete",
};
const counts = { held: 0, insufficient: 0, charged: 0, failed: 0 };

async function work(at) {
  while (Date.now() < until || counts.held < Number(holds)) {
    const id = crypto.randomUUID();
    const { outcome } = await balances.hold({ id, account, keyId, amount: 1_000n, ...plainHold });
    counts[outcome] += 1;
    if (outcome === "held") await end(id, at);
    if (at === 0) await balances.expire();
    // Yields to the other workers, since a call that returns at once never does.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function end(id, at) {
  await balances.renew([{ id, used: 1n }], 60_000);
  if (at % 2 === 0) return balances.release(id);
  const { outcome } = await balances.settle(id, 3n, charge);
  if (outcome === "ended") counts.charged += 3;
}

await Promise.all(
  Array.from({ length: 8 }, (_, at) =>
    work(at).catch((error) => {
      counts.failed += 1;
      console.error(error);
    }),
  ),
);
console.log(JSON.stringify(counts));

import {
  createGateway,
  type Gateway,
  type ModelConfig,
  memoryBalanceStore,
  memoryKeyStore,
  memoryTermsStore,
  openaiCompatible,
} from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";

const account = "bench";
const termsVersion = { id: "terms-1", version: "1", acceptUrl: "https://host.example/terms" };
const replies = ["json", "json-toolcalls", "json-1000", "sse-200-5", "sse-5-20-1000", "sse-held"];
const limits = {
  requests: { limit: 1_000_000_000 },
  tokens: { limit: 1_000_000_000_000 },
  concurrency: 5000,
};

/**
 * A gateway with every check on: keys, terms, all three limits, the schema, a hold on a prepaid balance, metering
 * and settlement, and an upstream that names its model otherwise than the public id.
 */
export async function fullGateway(upstreamPort: number): Promise<{ gateway: Gateway; apiKey: string }> {
  const keys = memoryKeyStore();
  const balances = memoryBalanceStore();
  const gateway = createGateway({
    models: offer(upstreamPort),
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid", limits }],
    terms: { store: memoryTermsStore(), versions: [termsVersion] },
    transport: pooledTransport(),
  });
  await gateway.terms.accept(account, termsVersion.id);
  balances.credit({ id: "start", account, amount: 10n ** 18n, reason: "start" });
  const { secret } = await keys.create({ account, plan: "prepaid" });
  return { gateway, apiKey: secret };
}

function offer(upstreamPort: number): readonly ModelConfig[] {
  const provider = openaiCompatible({
    baseURL: `http://127.0.0.1:${upstreamPort}/v1`,
    apiKey: "sk-upstream-0123456789",
  });
  return replies.map((reply) => ({
    id: `public-${reply}`,
    contextWindow: 128_000,
    maxOutputTokens: 16_384,
    price: { input: "0.15", output: "0.60" },
    targets: [{ provider, model: reply }],
  }));
}

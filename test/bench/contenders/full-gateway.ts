import { anthropic } from "@tollgate/anthropic";
import { createGateway, type Gateway, type ModelConfig, openaiCompatible, type Target } from "@tollgate/core";
import { pooledTransport } from "@tollgate/node";
import { type BenchStores, memoryStores } from "./bench-stores.ts";

const termsVersion = { id: "terms-1", version: "1", acceptUrl: "https://host.example/terms" };
const replies = ["json", "json-toolcalls", "json-1000", "sse-200-5", "sse-5-20-1000", "sse-held"];
/** The models of the shapes in other dialects. */
const dialectReplies = ["json", "sse-200-5"];
const limits = {
  requests: { limit: 1_000_000_000 },
  tokens: { limit: 1_000_000_000_000 },
  concurrency: 5000,
};

/** The accounts of a gateway that is measured. A load uses the first one, or all. */
const accounts = Array.from({ length: 1_000 }, (_, place) => `bench-${place}`);

/** A gateway, and the keys of its accounts, of which the first one is used alone. */
export interface FullGateway {
  readonly gateway: Gateway;
  readonly apiKey: string;
  readonly apiKeys: readonly string[];
}

/**
 * A gateway with every check on: keys, terms, all three limits, the schema, a hold on a prepaid balance, metering
 * and settlement, and an upstream that names its model otherwise than the public id.
 */
export async function fullGateway(upstreamPort: number, stores: BenchStores = memoryStores()): Promise<FullGateway> {
  const { keys, balances } = stores;
  const gateway = createGateway({
    models: offer(upstreamPort),
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid", limits }],
    terms: { store: stores.terms, versions: [termsVersion] },
    transport: pooledTransport(),
    // One key sends all of the load.
    maxInFlightPerKey: limits.concurrency,
  });
  const apiKeys: string[] = [];
  for (const account of accounts) {
    await gateway.terms.accept(account, termsVersion.id);
    await balances.credit({ id: account, account, amount: 10n ** 18n, reason: "start" });
    apiKeys.push((await keys.create({ account, plan: "prepaid" })).secret);
  }
  return { gateway, apiKey: apiKeys[0] ?? "", apiKeys };
}

function offer(upstreamPort: number): readonly ModelConfig[] {
  const baseURL = `http://127.0.0.1:${upstreamPort}/v1`;
  const apiKey = "sk-upstream-0123456789";
  const provider = openaiCompatible({ baseURL, apiKey });
  const modelOf = (id: string, target: Target): ModelConfig => ({
    id,
    contextWindow: 128_000,
    maxOutputTokens: 16_384,
    price: { input: "0.15", output: "0.60", cacheWrite: "0.20" },
    targets: [target],
  });
  return [
    ...replies.map((model) => modelOf(`public-${model}`, { provider, model })),
    ...dialectReplies.flatMap((model) => [
      modelOf(`native-messages-${model}`, { provider: anthropic({ baseURL, apiKey }), model }),
      modelOf(`native-responses-${model}`, {
        provider: openaiCompatible({ baseURL, apiKey, dialects: ["responses"] }),
        model,
      }),
      modelOf(`translated-messages-${model}`, { provider, model }),
      modelOf(`translated-responses-${model}`, { provider, model }),
    ]),
  ];
}

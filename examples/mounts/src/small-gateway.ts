import { consoleObserver, type ModelConfig } from "@tollgate/core";
import { corsPolicy, createGateway, usageRecorder } from "@tollgate/core/chat";
import type { BalanceStore, KeyStore, Limiter, UsageStore } from "@tollgate/core/store";

interface Stores {
  readonly keys: KeyStore;
  readonly balances: BalanceStore;
  readonly limiter: Limiter;
  readonly usage: UsageStore;
}

export const smallGateway = ({ keys, balances, limiter, usage }: Stores, models: readonly ModelConfig[]) =>
  createGateway({
    keys,
    balances,
    limiter,
    observer: consoleObserver(),
    usage: usageRecorder({ store: usage }),
    cors: corsPolicy({ origins: ["https://app.example.com"] }),
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models,
  });

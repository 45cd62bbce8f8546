import { deepEqual, equal } from "node:assert/strict";
import type { Awaitable } from "@tollgate/core/internal";
import type {
  Balance,
  BalanceStore,
  ChargeReceipt,
  Credit,
  EndResult,
  Entry,
  EntryPage,
  HoldRequest,
  HoldResult,
  PostingResult,
} from "@tollgate/core/store";
import type { OpenedWithDefaults } from "../suite.ts";

/** The context of a case: the store, a new account, and shortcuts for the methods. */
export interface BalanceContext extends OpenedWithDefaults<BalanceStore> {
  readonly account: string;
  credit(amount: bigint): Promise<PostingResult>;
  /** Credits granted money that does not expire, unless overridden, and returns the id of its lot. */
  lot(amount: bigint, overrides?: Partial<Credit>): Promise<string>;
  hold(amount: bigint, overrides?: Partial<HoldRequest>): Promise<HoldResult>;
  /** Creates a hold, which must succeed, and returns its id. */
  held(amount: bigint, overrides?: Partial<HoldRequest>): Promise<string>;
  settle(id: string, amount: bigint, receipt?: ChargeReceipt): Promise<EndResult["outcome"]>;
  release(id: string): Promise<EndResult["outcome"]>;
  /** Holds an amount of zero and settles it with the cost, and returns the entry of the charge. */
  charge(cost: bigint, overrides?: Partial<HoldRequest>): Promise<Entry>;
  /** Fails unless the posted and held amounts are these and the available amount is their difference. */
  expectBalance(posted: bigint, held: bigint): Promise<void>;
  /** Reads all entries of the account in one page. */
  ledger(): Promise<readonly Entry[]>;
}

/** A hold request with the given amount and, unless overridden, default values. */
export function holdRequest(account: string, amount: bigint, overrides: Partial<HoldRequest> = {}): HoldRequest {
  const id = crypto.randomUUID();
  const receipt = { requestId: `req_${id}`, model: "model-1", dialect: "chat" as const };
  const plain = { leaseMs: 60_000, terms: [], receipt, spend: {}, notices: undefined };
  return { id, account, keyId: "key-1", amount, ...plain, ...overrides };
}

/** The receipt of a charge. Every number differs, so that a store that exchanges two is detected. */
export function chargeReceipt(overrides: Partial<ChargeReceipt> = {}): ChargeReceipt {
  return {
    provider: "provider-1",
    upstreamModel: "upstream-1",
    tokens: { input: 900, cachedInput: 100, cacheWrite5m: 20, cacheWrite1h: 3, output: 400, reasoning: 50 },
    basis: "reported",
    prices: {
      input: 1n,
      cachedInput: 2n,
      cacheWrite5m: 3n,
      cacheWrite1h: 4n,
      output: 9_007_199_254_740_993n,
      request: 6n,
    },
    durationMs: 1_234,
    status: "complete",
    ...overrides,
  };
}

/** Creates the context of a case with a new account. */
export function balanceContext(opened: OpenedWithDefaults<BalanceStore>): BalanceContext {
  const { store } = opened;
  const account = `account-${crypto.randomUUID()}`;
  const hold = async (amount: bigint, overrides?: Partial<HoldRequest>) =>
    store.hold(holdRequest(account, amount, overrides));
  const held: BalanceContext["held"] = async (amount, overrides = {}) => {
    const id = overrides.id ?? crypto.randomUUID();
    equal((await hold(amount, { ...overrides, id })).outcome, "held");
    return id;
  };
  return {
    ...opened,
    account,
    hold,
    held,
    credit: async (amount) => store.credit({ id: crypto.randomUUID(), account, amount, reason: "top-up" }),
    lot: async (amount, overrides = {}) => {
      const credit = { id: crypto.randomUUID(), account, amount, reason: "promotion", kind: "granted" as const };
      const { outcome } = await store.credit({ ...credit, ...overrides });
      equal(outcome, "posted");
      return overrides.id ?? credit.id;
    },
    settle: (id, amount, receipt = chargeReceipt()) => outcome(store.settle({ id, account }, amount, receipt)),
    release: (id) => outcome(store.release({ id, account })),
    charge: async (cost, overrides) => {
      const id = await held(0n, overrides);
      equal(await outcome(store.settle({ id, account }, cost, chargeReceipt())), "ended");
      return onlyEntry(await store.entries({ account, limit: 2, reference: id }));
    },
    expectBalance: async (posted, held) => deepEqual(amountsOf(await store.balance(account)), [posted, held]),
    ledger: async () => (await store.entries({ account, limit: 1_000 })).entries,
  };
}

function onlyEntry({ entries }: EntryPage): Entry {
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) throw new Error(`A hold must have one entry, not ${entries.length}.`);
  return entry;
}

function amountsOf({ posted, held, available }: Balance): readonly bigint[] {
  equal(available, posted - held);
  return [posted, held];
}

async function outcome(result: Awaitable<EndResult>): Promise<EndResult["outcome"]> {
  return (await result).outcome;
}

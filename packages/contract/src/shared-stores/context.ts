import type {
  AccountAdmin,
  BalanceStore,
  HoldRequest,
  HoldResult,
  KeyAdmin,
  KeyStore,
  NewKey,
  TermsStore,
} from "@tollgate/core/store";
import { type BalanceContext, balanceContext } from "../balance-store/context.ts";
import type { OpenedWithDefaults } from "../suite.ts";

/** The three stores of one client of a database. */
export interface SharedStores {
  readonly keys: KeyStore & KeyAdmin;
  readonly balances: BalanceStore & AccountAdmin;
  readonly terms: TermsStore;
}

/** The context of a case of the shared suite. */
export interface SharedContext extends OpenedWithDefaults<SharedStores> {
  /** Shortcuts for the balance store of the first client, with the account of this case. */
  readonly ledger: BalanceContext;
  /** Creates a key, by default of the account, and returns its id. */
  issue(overrides?: Partial<NewKey>): Promise<string>;
  /** Requests a hold with the key, by default of 100. */
  hold(keyId: string, overrides?: Partial<HoldRequest>): Promise<HoldResult["outcome"]>;
}

/** Creates the context of a case with a new account. */
export function sharedContext(opened: OpenedWithDefaults<SharedStores>): SharedContext {
  const { store, peer, wait } = opened;
  const ledger = balanceContext({ store: store.balances, peer: peer.balances, wait });
  return {
    ...opened,
    ledger,
    issue: async (overrides) =>
      (await store.keys.create({ account: ledger.account, plan: "basic", ...overrides })).key.id,
    hold: async (keyId, overrides) => (await ledger.hold(100n, { keyId, ...overrides })).outcome,
  };
}

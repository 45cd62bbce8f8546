import type {
  BalanceStore,
  HoldRequest,
  HoldResult,
  KeyAdmin,
  KeyStore,
  NewKey,
  TermsStore,
} from "@tollgate/core/store";
import { type BalanceContext, balanceContext } from "../balance-store/context.ts";
import type { OpenedFully } from "../suite.ts";

/** The three stores of one database, as one client of it has them. */
export interface SharedStores {
  readonly keys: KeyStore & KeyAdmin;
  readonly balances: BalanceStore;
  readonly terms: TermsStore;
}

/** What a case of the shared suite works with. */
export interface SharedContext extends OpenedFully<SharedStores> {
  /** The short forms of the first client's balance store, around the account of this case. */
  readonly books: BalanceContext;
  /** Makes a key, of the account unless `more` says otherwise, and gives its id. */
  issue(more?: Partial<NewKey>): Promise<string>;
  /** Asks for a hold of 100 with the key, unless `more` says otherwise. */
  hold(keyId: string, more?: Partial<HoldRequest>): Promise<HoldResult["outcome"]>;
}

/** Makes what a case works with, around a fresh account. */
export function sharedContext(opened: OpenedFully<SharedStores>): SharedContext {
  const { store, peer, wait } = opened;
  const books = balanceContext({ store: store.balances, peer: peer.balances, wait });
  return {
    ...opened,
    books,
    issue: async (more) => (await store.keys.create({ account: books.account, plan: "basic", ...more })).key.id,
    hold: async (keyId, more) => (await books.hold(100n, { keyId, ...more })).outcome,
  };
}

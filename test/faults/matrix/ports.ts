import {
  memoryBalanceStore,
  memoryKeyStore,
  memoryLimiter,
  memorySessionStore,
  memoryTermsStore,
} from "@tollgate/core";
import type { BalanceStore, KeyAdmin, KeyStore, Limiter, SessionStore, TermsStore } from "@tollgate/core/store";

/** The ports of a gateway's stores. */
export interface Ports {
  readonly keys: KeyStore & KeyAdmin;
  readonly balances: BalanceStore;
  readonly terms: TermsStore;
  readonly limiter: Limiter;
  readonly sessions: SessionStore;
}

/** One method of one port. */
export type Operation = { [Port in keyof Ports]: `${Port}.${keyof Ports[Port] & string}` }[keyof Ports];

/** Creates stores in memory. */
export const memoryPorts = (): Ports => ({
  keys: memoryKeyStore(),
  balances: memoryBalanceStore(),
  terms: memoryTermsStore(),
  limiter: memoryLimiter(),
  sessions: memorySessionStore(),
});

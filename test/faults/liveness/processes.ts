import { type GatewayEvent, memoryBalanceStore } from "@tollgate/core";
import type { BalanceStore } from "@tollgate/core/store";
import { withOverrides } from "../../contract/failures.ts";
import { type Fault, failsBefore, faulty } from "../../support/faulty.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../../support/gateway-under-test.ts";

/** The initial balance of the account "acme". */
export const opening = 1_000_000_000n;
export const leaseMs = 60_000;
/** The longest time that a hold can outlive its process: its lease and the next sweep of another process. */
export const longestOrphanMs = leaseMs + 15_000 * 1.1;

const hourMs = 3_600_000;

/** The fault of a store that is down. */
export const down = failsBefore(() => new Error("connection lost"));

/** A process: its gateway, and the faults of its calls to the shared ledger, by method or for "all". */
export interface Process extends GatewayUnderTest {
  readonly faults: Record<string, Fault | undefined>;
}

/** A funded ledger in memory, and processes that share it, each optionally with a mutation. */
export function sharedLedger() {
  const ledger = memoryBalanceStore();
  ledger.credit({ id: "opening", account: "acme", amount: opening, reason: "test" });
  const start = (mutation: Partial<BalanceStore> = {}): Process => {
    const faults: Process["faults"] = {};
    const balances = faulty<BalanceStore>(
      withOverrides<BalanceStore>(ledger, mutation),
      (verb) => faults["all"] ?? faults[verb],
    );
    const upstream = { firstFrameMs: hourMs, idleMs: hourMs, totalMs: hourMs };
    return { ...gatewayUnderTest({ balances, upstream, streams: { stalledMs: hourMs } }), faults };
  };
  return { ledger, start };
}

/** Returns the events of one type. */
export const eventsOf = <Type extends GatewayEvent["type"]>({ events }: GatewayUnderTest, type: Type) =>
  events.filter((event) => event.type === type);

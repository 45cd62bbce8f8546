import { type GatewayEvent, memoryBalanceStore } from "@tollgate/core";
import type { BalanceStore } from "@tollgate/core/store";
import { withFlaw } from "../../contract/failures.ts";
import { type Fault, failsBefore, faulty } from "../../support/faulty.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../../support/gateway-under-test.ts";

/** What the account "acme" has at the start. */
export const opening = 1_000_000_000n;
export const leaseMs = 60_000;
/** The longest that a hold outlives its process: its lease, and the next sweep of another one. */
export const longestOrphanMs = leaseMs + 15_000 * 1.1;

const hourMs = 3_600_000;

/** What is asked of a store that is down. */
export const down = failsBefore(() => new Error("connection lost"));

/** A process of a host: its gateway, and what befalls its calls of the shared ledger, by verb or "all". */
export interface Process extends GatewayUnderTest {
  readonly faults: Record<string, Fault | undefined>;
}

/** A ledger in memory with money on it, and processes that share it, each with a mistake if it is given one. */
export function sharedLedger() {
  const ledger = memoryBalanceStore();
  ledger.credit({ id: "opening", account: "acme", amount: opening, reason: "test" });
  const start = (mistake: Partial<BalanceStore> = {}): Process => {
    const faults: Process["faults"] = {};
    const balances = faulty<BalanceStore>(
      withFlaw<BalanceStore>(ledger, mistake),
      (verb) => faults["all"] ?? faults[verb],
    );
    const upstream = { firstFrameMs: hourMs, idleMs: hourMs, totalMs: hourMs };
    return { ...gatewayUnderTest({ balances, upstream, streams: { stalledMs: hourMs } }), faults };
  };
  return { ledger, start };
}

/** The events of one kind. */
export const told = <Type extends GatewayEvent["type"]>({ events }: GatewayUnderTest, type: Type) =>
  events.filter((event) => event.type === type);

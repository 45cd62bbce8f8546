import type { GatewayEvent } from "@tollgate/core";
import type { BalanceStore } from "@tollgate/core/store";
import { withOverrides } from "../../contract/failures.ts";
import type { GatewayMutation } from "./gateway-task.ts";

/** The parts of a gateway that a mutation changes. */
interface Mutable {
  readonly balances: BalanceStore;
  readonly observer: (event: GatewayEvent) => void;
}

const remembered: unknown[] = [];

/** Returns the parts with a mutation, or unchanged without one. */
export function mutate({ balances, observer }: Mutable, mutation: GatewayMutation | undefined): Mutable {
  if (mutation === "aborted streams unsettled") return { balances: forgetting(balances), observer };
  if (mutation === undefined) return { balances, observer };
  const remember = (event: GatewayEvent) => {
    // As much as a prompt of some thousand characters.
    remembered.push(Array.from({ length: 1_000 }, () => event.at));
    observer(event);
  };
  return { balances, observer: remember };
}

/** Balances that do not settle the charge of a client that left. */
const forgetting = (balances: BalanceStore): BalanceStore =>
  withOverrides<BalanceStore>(balances, {
    settle: (hold, amount, receipt) =>
      receipt?.status === "client_gone" ? { outcome: "ended" } : balances.settle(hold, amount, receipt),
  });

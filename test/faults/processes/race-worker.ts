import type { HoldSpend } from "@tollgate/core/store";
import { holdUntilRefused } from "../race/hold-until-refused.ts";
import type { SharedClients } from "../race/racers.ts";
import { openStore, type StoreAddress } from "./open-store.ts";
import { readTask } from "./task.ts";

/** The task of a process whose clients race for the balance of each account that it receives. */
export interface RaceTask extends SharedClients {
  readonly store: StoreAddress;
  /** A spend limit of each account in nano-units, as a decimal string. Absent: none. */
  readonly spendLimit?: string;
}

const task = readTask<RaceTask>();
const spend: HoldSpend =
  task.spendLimit === undefined ? {} : { account: { limit: BigInt(task.spendLimit), window: "day" } };
const { store } = openStore(task.store);
process.on("message", (account: string) => {
  void holdUntilRefused(store, account, task.clients, spend).then((admitted) => process.send?.(admitted));
});
process.send?.("ready");

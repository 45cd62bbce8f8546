import { holdUntilRefused } from "../race/hold-until-refused.ts";
import { openStore, type StoreAddress } from "./open-store.ts";
import { readTask } from "./task.ts";

/** The task of a process whose clients race for the balance of each account that it receives. */
export interface RaceTask {
  readonly store: StoreAddress;
  readonly clients: number;
}

const task = readTask<RaceTask>();
const { store } = openStore(task.store);
process.on("message", (account: string) => {
  void holdUntilRefused(store, account, task.clients).then((admitted) => process.send?.(admitted));
});
process.send?.("ready");

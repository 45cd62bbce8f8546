import { holdUntilRefused } from "../race/hold-until-refused.ts";
import { openStore, type StoreAddress } from "./open-store.ts";
import { readTask } from "./task.ts";

/** A process with clients that race for the funds of each account that it is told. */
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

import { existsSync } from "node:fs";
import { RecordedStore } from "../kills/ledger/recorded-store.ts";
import { unanswered } from "../kills/ledger/unanswered.ts";
import { Workload, type WorkloadOptions } from "../kills/ledger/workload.ts";
import { Journal } from "./journal.ts";
import type { Life } from "./killed-workers.ts";
import { openStore, type StoreAddress } from "./open-store.ts";
import type { LedgerMutation } from "./statement-mutations.ts";
import { readTask } from "./task.ts";

/** The task of a process that uses a ledger until it is killed. */
export interface LedgerTask extends WorkloadOptions {
  readonly store: StoreAddress;
  readonly mutation?: LedgerMutation | undefined;
}

const task = readTask<LedgerTask & Life>();
const { store } = openStore(task.store, task.mutation);
const workload = new Workload(new RecordedStore(store, new Journal(task.journal), task.leaseMs), task);
if (task.before !== undefined && existsSync(task.before)) workload.repeat(unanswered(task.before));
workload.run();

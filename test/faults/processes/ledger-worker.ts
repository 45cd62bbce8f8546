import { existsSync } from "node:fs";
import type { LedgerAnswer, LedgerCall } from "../kills/ledger/calls.ts";
import { RecordedStore } from "../kills/ledger/recorded-store.ts";
import { Workload, type WorkloadOptions } from "../kills/ledger/workload.ts";
import type { LedgerFlaw } from "./flaws.ts";
import { Journal, readJournal } from "./journal.ts";
import type { Life } from "./killed-workers.ts";
import { openStore, type StoreAddress } from "./open-store.ts";
import { readTask } from "./task.ts";

/** A process that works on a ledger until it is killed. */
export interface LedgerTask extends WorkloadOptions {
  readonly store: StoreAddress;
  readonly flaw?: LedgerFlaw | undefined;
}

const task = readTask<LedgerTask & Life>();
const { store } = openStore(task.store, task.flaw);
const workload = new Workload(new RecordedStore(store, new Journal(task.journal), task.leaseMs), task);
if (task.before !== undefined && existsSync(task.before)) workload.repeat(unanswered(task.before));
workload.run();

/** What the life before had asked for and did not live to know the outcome of. */
function unanswered(path: string): readonly LedgerCall[] {
  const open = new Map<string, LedgerCall>();
  for (const { recorded } of readJournal<LedgerCall, LedgerAnswer>(path)) {
    const { call, answer } = recorded;
    const name = Object.values(call).join(" ");
    if (answer === undefined || answer.error !== undefined) open.set(name, call);
    else open.delete(name);
  }
  return [...open.values()];
}

import { existsSync } from "node:fs";
import type { LedgerAnswer, LedgerCall } from "../kills/ledger/calls.ts";
import { RecordedStore } from "../kills/ledger/recorded-store.ts";
import { unanswered } from "../kills/ledger/unanswered.ts";
import { Workload, type WorkloadOptions } from "../kills/ledger/workload.ts";
import { Journal } from "./journal.ts";
import type { Life } from "./killed-workers.ts";
import { openShards, type ShardUrls } from "./open-shards.ts";
import { readTask } from "./task.ts";

/** The task of a process that uses a ledger over shards until it is killed. */
export interface ShardTask extends WorkloadOptions {
  readonly urls: ShardUrls;
}

const task = readTask<ShardTask & Life>();

async function work(): Promise<void> {
  const { stores } = await openShards(task.urls);
  const journal = new Journal<LedgerCall, LedgerAnswer>(task.journal);
  const workload = new Workload(new RecordedStore(stores.balances, journal, task.leaseMs), task);
  if (task.before !== undefined && existsSync(task.before)) workload.repeat(unanswered(task.before));
  workload.run();
}

void work();

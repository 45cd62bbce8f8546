import type { UsageStore } from "@tollgate/core/store";
import { UsageRecorder } from "../../../packages/core/src/events/usage-recorder.ts";
import { openUsageStore } from "../usage/open-usage-store.ts";
import { refusedRequest } from "../usage/refused-request.ts";
import { Journal } from "./journal.ts";
import type { Life } from "./killed-workers.ts";
import type { StoreAddress } from "./open-store.ts";
import { readTask } from "./task.ts";

/** The task of a process that records usage until it is killed. */
export interface UsageTask {
  readonly store: StoreAddress;
}

const requestsPerTick = 25;

const task = readTask<UsageTask & Life>();
const store = openUsageStore(task.store);
const journal = new Journal<readonly string[], number>(task.journal);
const recording: UsageStore = {
  record: (rows) => {
    const ids = rows.map(({ id }) => id);
    return journal.record(ids, () => store.record(rows), Number);
  },
  summary: (query) => store.summary(query),
  attempts: (query) => store.attempts(query),
  list: (query) => store.list(query),
  prune: (before) => store.prune(before),
  forget: (query) => store.forget(query),
};
const recorder = new UsageRecorder({ store: recording }, () => undefined);
setInterval(() => {
  for (let count = 0; count < requestsPerTick; count++) recorder.take(refusedRequest());
}, 20);

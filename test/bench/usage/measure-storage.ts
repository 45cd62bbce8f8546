import type { UsageQuery, UsageStore } from "@tollgate/core/store";
import { newRow } from "./new-row.ts";
import type { OpenedUsage } from "./opened-usage.ts";

/** The summaries that are measured. */
export const summaryNames = ["by day and model", "by account", "one key's month"] as const;

/** What a store with a year of rows takes. */
export interface StorageResult {
  /** Seconds in which the rows were generated. */
  readonly generation: number;
  /** The median time of each summary, in milliseconds. */
  readonly summaries: Readonly<Record<(typeof summaryNames)[number], number>>;
  /** Rows recorded in a second, in batches of 500, meanwhile. */
  readonly recorded: number;
}

const dayMs = 86_400_000;
const repetitions = 15;
const batchSize = 500;
/** Rows a second that arrive. */
const arriving = 5_000;

/** Measures the summaries of a year while rows arrive, 5,000 a second. */
export async function measureStorage(open: () => OpenedUsage | Promise<OpenedUsage>): Promise<StorageResult> {
  const begun = performance.now();
  const { store, close } = await open();
  const generation = (performance.now() - begun) / 1_000;
  try {
    const writer = new Writer(store);
    const writing = writer.run();
    const summaries = await measureSummaries(store);
    // Long enough for a rate, also when the summaries are fast.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 5_000 - writer.elapsedMs)));
    writer.stop();
    await writing;
    return { generation, summaries, recorded: writer.rate };
  } finally {
    await close();
  }
}

async function measureSummaries(store: UsageStore): Promise<StorageResult["summaries"]> {
  return {
    "by day and model": await medianOf(store, { bucket: "day", groupBy: "model" }),
    "by account": await medianOf(store, { bucket: "all", groupBy: "account" }),
    "one key's month": await medianOf(store, { bucket: "day", filter: { key: "key-7" } }, 30),
  };
}

async function medianOf(store: UsageStore, query: Omit<UsageQuery, "from" | "to">, days = 365): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < repetitions; count++) {
    const to = new Date();
    const begun = performance.now();
    await store.summary({ ...query, from: new Date(to.getTime() - days * dayMs), to });
    times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(repetitions / 2)] ?? Number.NaN;
}

/** Records batches at a fixed rate, one at a time, as a recorder does. */
class Writer {
  readonly #store: UsageStore;
  readonly #begun = performance.now();
  #rows = 0;
  #endMs: number | undefined;

  constructor(store: UsageStore) {
    this.#store = store;
  }

  get elapsedMs(): number {
    return (this.#endMs ?? performance.now()) - this.#begun;
  }

  get rate(): number {
    return this.#rows / (this.elapsedMs / 1_000);
  }

  async run(): Promise<void> {
    while (this.#endMs === undefined) {
      this.#rows += await this.#store.record(Array.from({ length: batchSize }, (_, index) => newRow(index)));
      const due = (this.#rows / arriving) * 1_000;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - this.elapsedMs)));
    }
  }

  stop(): void {
    this.#endMs = performance.now();
  }
}

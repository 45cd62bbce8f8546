import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { UsageQuery, UsageStore, UsageSummaryRow } from "@tollgate/core/store";
import { disturbWhile } from "../processes/disturb-while.ts";
import { readJournals } from "../processes/journal.ts";
import { KilledWorkers } from "../processes/killed-workers.ts";
import type { StoreAddress } from "../processes/open-store.ts";
import type { UsageTask } from "../processes/usage-worker.ts";
import { workerPath } from "../processes/worker-path.ts";
import { openUsageStore } from "./open-usage-store.ts";

/** What is left when processes that record usage have been killed. */
export interface KilledUsage {
  readonly kills: number;
  readonly deaths: readonly string[];
  /** Rows whose batch the store has confirmed, and those of them that it does not have. */
  readonly confirmed: number;
  readonly lost: readonly string[];
  /** Rows of the store, and those of them that no batch contained. */
  readonly stored: number;
  readonly unknown: readonly string[];
  /** The same summaries, from totals and from rows. */
  readonly fromTotals: readonly UsageSummaryRow[];
  readonly fromRows: readonly UsageSummaryRow[];
}

/**
 * Lets processes record usage in one store, kills and restarts them for some seconds, and reads what is stored once `settled`
 * resolves: a server may still be running statements of killed processes.
 */
export async function killUsage(
  address: StoreAddress,
  seconds: number,
  settled: () => Promise<void> = async () => undefined,
): Promise<KilledUsage> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-usage-"));
  const workers = new KilledWorkers<UsageTask>(workerPath("usage-worker"), folder, { store: address });
  workers.start(3);
  try {
    await disturbWhile(() => sleep(seconds * 1_000), [{ everyMs: 1_000, run: () => workers.killOne() }]);
  } finally {
    await workers.stop();
  }
  await settled();
  const moments = readJournals<readonly string[], number>(folder);
  rmSync(folder, { recursive: true });
  const begun = new Set(moments.flatMap(({ recorded }) => recorded.call));
  const confirmed = moments.flatMap(({ recorded }) => (recorded.answer === undefined ? [] : recorded.call));
  const store = openUsageStore(address);
  const stored = await readIds(store);
  return {
    kills: workers.kills,
    deaths: workers.deaths,
    confirmed: new Set(confirmed).size,
    lost: confirmed.filter((id) => !stored.has(id)),
    stored: stored.size,
    unknown: [...stored].filter((id) => !begun.has(id)),
    fromTotals: await summaries(store, {}),
    fromRows: await summaries(store, { dialect: "chat" }),
  };
}

async function readIds(store: UsageStore): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let page = await store.list({ limit: 1_000 }); ; ) {
    for (const { id } of page.rows) ids.add(id);
    if (page.next === undefined) return ids;
    page = await store.list({ limit: 1_000, before: page.next });
  }
}

/** A filter of a dimension without totals makes the store read the rows. */
async function summaries(store: UsageStore, filter: NonNullable<UsageQuery["filter"]>): Promise<UsageSummaryRow[]> {
  const dayMs = 86_400_000;
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const range = { from: new Date(today - dayMs), to: new Date(today + dayMs), bucket: "day", filter } as const;
  const rows = await Promise.all(
    (["model", "account", "key"] as const).map((groupBy) => store.summary({ ...range, groupBy })),
  );
  return rows.flat();
}

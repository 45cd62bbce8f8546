import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import { type KillPlan, killLedger } from "./kill-ledger.ts";
import { describeSeededMutations } from "./seeded-mutations.ts";

const { seconds, minimums } = {
  long: { seconds: 30, minimums: { kills: 90, holds: 3_000 } },
  short: { seconds: 5, minimums: { kills: 14, holds: 150 } },
}[form];

const plan: KillPlan = { seconds, minimums, workers: 4, loops: 3, leaseMs: 1_000, killEveryMs: 300 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-sqlite-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a ledger in SQLite", () => {
  it(`neither loses nor repeats an effect while processes are killed for ${seconds} s`, async () => {
    const address = newStore();
    const { figures, violations, deaths } = await killLedger(address, plan);
    printFigures("Kills on SQLite", figures);
    expect(violations).toEqual([]);
    expect(deaths).toEqual([]);
    for (const [name, count] of Object.entries(minimums)) expect(figures[name], name).toBeGreaterThanOrEqual(count);
    const database = new DatabaseSync(address.file);
    expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    database.close();
  }, 240_000);

  it(`neither loses nor repeats a part of a lot while processes are killed for ${seconds} s`, async () => {
    const withLots = { ...minimums, refunds: 20 };
    const { figures, violations, deaths } = await killLedger(newStore(), { ...plan, lots: true, minimums: withLots });
    printFigures("Kills on SQLite with lots", figures);
    expect(violations).toEqual([]);
    expect(deaths).toEqual([]);
    expect(figures["lapses"]).toBeGreaterThan(0);
    for (const [name, count] of Object.entries(withLots)) expect(figures[name], name).toBeGreaterThanOrEqual(count);
  }, 240_000);

  describeSeededMutations(async () => newStore());
});

function newStore() {
  return { kind: "sqlite", file: join(folder, `${crypto.randomUUID()}.db`) } as const;
}

import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { entryKinds } from "@tollgate/core/store";
import { sqliteBalanceStore } from "@tollgate/sqlite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";
import type { CommitFault } from "../processes/crash-worker.ts";
import { problemsOfFile } from "./check-file.ts";
import { type ExpectedRun, expectedRun } from "./expected-run.ts";
import { type CrashPoint, canTrace, KilledRuns, spread } from "./killed-run.ts";

/** How many points of a run it is killed at. */
const count = Number(process.env["CRASH_POINTS"] ?? (form === "long" ? Number.POSITIVE_INFINITY : 40));

let folder: string;
let template: string;
let expected: ExpectedRun;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  // A killed process loses nothing that it has written, so a file in memory is as good as one on a disk.
  folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "tollgate-crash-points-"));
  template = join(folder, "template.db");
  expected = await expectedRun();
  const database = new DatabaseSync(template);
  sqliteBalanceStore(database);
  // The copies are of this file alone.
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
});
afterAll(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

describe.skipIf(!canTrace)("a ledger in SQLite whose process is killed", () => {
  it("has every acknowledged operation once, whatever write, flush or truncation it is killed at", async () => {
    const runs = new KilledRuns(template);
    const all = await runs.points(folder);
    const points = spread(all, count);
    const begun = performance.now();
    const { problems, unreached, acknowledged } = await killAt(points, runs);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    printFigures("Crash points of SQLite", { ...countCalls(all), "killed at": points.length, acknowledged, seconds });
    expect(problems).toEqual([]);
    expect(unreached).toEqual([]);
    expect(Object.keys(countCalls(all)).length).toBeGreaterThan(1);
    for (const kind of entryKinds) expect(JSON.stringify(expected.states.at(-1))).toContain(`"kind":"${kind}"`);
  }, 3_600_000);

  const faults: readonly CommitFault[] = ["answers before the commit", "a settlement in two transactions"];
  for (const fault of faults) {
    it(`shows a seeded fault: ${fault}`, async () => {
      const runs = new KilledRuns(template, fault);
      const all = await runs.points(folder);
      const { problems } = await killAt(spread(all, 24), runs, { untilProblem: true });
      expect(problems).not.toEqual([]);
    }, 60_000);
  }
});

/** Kills a run at each point, two at a time, and checks the file that each leaves, one at a time, since a check sets the clock. */
async function killAt(points: readonly CrashPoint[], runs: KilledRuns, { untilProblem = false } = {}) {
  const found = { problems: [] as string[], unreached: [] as CrashPoint[], acknowledged: 0 };
  const waiting = points.values();
  let checks: Promise<unknown> = Promise.resolve();
  const work = async (name: string) => {
    const own = join(folder, name);
    for (const point of waiting) {
      if (untilProblem && found.problems.length > 0) return;
      mkdirSync(own);
      const file = join(own, "ledger.db");
      const { acknowledged, killed } = await runs.runTo(point, file);
      const check = checks.then(() => problemsOfFile(file, acknowledged, expected));
      checks = check.catch(() => undefined);
      found.problems.push(...(await check).map((problem) => `${point.call} ${point.number}: ${problem}`));
      if (!killed) found.unreached.push(point);
      found.acknowledged += acknowledged.length;
      rmSync(own, { recursive: true });
    }
  };
  await Promise.all(["one", "other"].map(work));
  return found;
}

function countCalls(points: readonly CrashPoint[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { call } of points) counts[call] = (counts[call] ?? 0) + 1;
  return counts;
}

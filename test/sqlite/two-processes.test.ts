import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { sqliteStores } from "@tollgate/sqlite";
import { expect, it } from "vitest";
import { creditOf, temporaryDatabase } from "./temporary-database.ts";

const run = promisify(execFile);

/** The least number of holds that each process places, even on a slow disk. */
const holdsPerProcess = 20;

// The processes import the package as published, so it must have been built.
it("two processes on one file neither lose nor duplicate anything", async () => {
  const { file, connect } = temporaryDatabase();
  const database = connect();
  const { balances, keys } = sqliteStores(database);
  const { key } = await keys.create({ account: "a", plan: "basic" });
  // Enough for three holds at a time, which is fewer than the processes request.
  await balances.credit(creditOf("a", 3_000n));
  const work = () =>
    run(process.execPath, ["concurrent-holds.mjs", file, "a", key.id, "3", `${holdsPerProcess}`], {
      cwd: import.meta.dirname,
    });
  let working = true;
  const topUp = async () => {
    for (; working; await sleep(50)) await balances.credit(creditOf("a", 100n));
  };
  const toppedUp = topUp();
  const printed = await Promise.all([work(), work()]);
  working = false;
  await toppedUp;

  const counts = printed.map(({ stdout }) => JSON.parse(stdout));
  for (const each of counts) {
    expect(each.failed).toBe(0);
    expect(each.held).toBeGreaterThanOrEqual(holdsPerProcess);
  }
  expect(counts.some(({ insufficient }) => insufficient > 0)).toBe(true);
  const { entries } = await balances.entries({ account: "a", limit: 1_000_000 });
  const credited = entries.reduce((sum, { kind, amount }) => (kind === "credit" ? sum + amount : sum), 0n);
  const charged = BigInt(counts.reduce((sum, each) => sum + each.charged, 0));
  expect(await balances.balance("a")).toMatchObject({ posted: credited - charged, held: 0n });
  expect(await balances.verify()).toEqual([]);
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
}, 60_000);

import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type SqliteStores, sqliteSessionStore } from "@tollgate/sqlite";
import { expect, it, onTestFinished } from "vitest";
import { newSession, newTurn } from "./session.ts";
import { temporaryDatabase } from "./temporary-database.ts";

const run = promisify(execFile);
const cwd = import.meta.dirname;

// The processes import the package as published, so it must have been built.
it("turns of several processes run one at a time, and each sees the messages of all before it", async () => {
  const { file, sessions, wanted } = await open();
  const work = () => run(process.execPath, ["turns.mjs", file, wanted.id, wanted.account, "60000", "30"], { cwd });
  const printed = await Promise.all([work(), work(), work()]);
  const counts = printed.map(({ stdout }) => JSON.parse(stdout));
  expect(counts.map(({ taken }) => taken)).toEqual([30, 30, 30]);
  expect(counts.some(({ busy }) => busy > 0)).toBe(true);
  expect(await contents(sessions, wanted)).toEqual(wholeTurns(90));
}, 60_000);

it("the turn of a killed process keeps others out until its lease ends, and no longer", async () => {
  const { file, sessions, wanted } = await open();
  const child = start([file, wanted.id, wanted.account, "3000"]);
  const [told] = await Promise.race([once(child, "message"), once(child, "exit")]);
  expect(told).toMatchObject({ outcome: "begun" });
  await kill(child);

  const asked = [];
  for (;;) {
    const { outcome } = await sessions.beginTurn(wanted, newTurn());
    asked.push(outcome);
    if (outcome !== "busy") break;
    await sleep(20);
  }
  expect(asked.at(-1)).toBe("begun");
  expect(Date.now()).toBeGreaterThanOrEqual(told.begunAt + 3_000);
  expect(await sessions.renewTurn(wanted, { turnId: "never ends", leaseMs: 1_000 })).toBe(false);
  expect(await contents(sessions, wanted)).toEqual([]);
}, 60_000);

it("processes that are killed leave whole turns behind", async () => {
  const { file, database, sessions, wanted } = await open();
  for (let life = 1; life <= 6; life++) {
    const before = (await contents(sessions, wanted)).length;
    const child = start([file, wanted.id, wanted.account, "100", "1000000"]);
    while (child.exitCode === null && (await contents(sessions, wanted)).length < before + 10) await sleep(1);
    await sleep(Math.random() * 5);
    await kill(child);
  }
  const left = await contents(sessions, wanted);
  expect(left.length).toBeGreaterThanOrEqual(60);
  expect(left).toEqual(wholeTurns(left.length / 2));
  await sleep(200);
  const begun = await sessions.beginTurn(wanted, newTurn());
  expect(begun).toMatchObject({ outcome: "begun", images: left.filter((content) => content !== "yes") });
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
}, 60_000);

async function open() {
  const { file, connect } = temporaryDatabase();
  const database = connect();
  const sessions = sqliteSessionStore(database);
  const wanted = newSession();
  await sessions.create(wanted);
  return { file, database, sessions, wanted };
}

function start(given: readonly string[]): ChildProcess {
  const child = fork("turns.mjs", given, { cwd, execArgv: [] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Kills without warning; fails when the process had ended by itself. */
async function kill(child: ChildProcess): Promise<void> {
  expect(child.exitCode).toBeNull();
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function contents(sessions: SqliteStores["sessions"], ref: { readonly id: string; readonly account: string }) {
  const page = await sessions.messages(ref, { limit: 1_000_000 });
  expect(page?.messages.map(({ sequence }) => sequence)).toEqual(page?.messages.map((_, at) => at + 1));
  return page?.messages.map(({ message }) => message.content) ?? [];
}

function wholeTurns(count: number): string[] {
  return Array.from({ length: count }, (_, at) => [`after ${at * 2}`, "yes"]).flat();
}

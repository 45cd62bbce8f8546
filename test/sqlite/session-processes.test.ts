import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type SqliteStores, sqliteSessionStore } from "@tollgate/sqlite";
import { expect, it, onTestFinished } from "vitest";
import { newSession, newTurn } from "./session.ts";
import { temporaryDatabase } from "./temporary-database.ts";

const cwd = import.meta.dirname;

// The processes import the package as published, so it must have been built.
it("turns of several processes run one at a time, and each sees the messages of all before it", async () => {
  const { file, sessions, wanted } = await open();
  const [turnId, given] = ["the first", [file, wanted.id, wanted.account, "60000", "30"]];
  await sessions.beginTurn(wanted, { ...newTurn(), turnId });
  const children = [start(given), start(given), start(given)];
  expect(await Promise.all(children.map(firstMessage))).toEqual(["busy", "busy", "busy"]);
  const ends = children.map((child) => once(child, "exit"));
  await sessions.endTurn(wanted, { turnId, messages: [], images: [] });
  expect(await Promise.all(ends)).toEqual([0, 0, 0].map((code) => [code, null]));
  expect(await contents(sessions, wanted)).toEqual(wholeTurns(90));
}, 60_000);

it("the turn of a killed process blocks others until its lease ends, and no longer", async () => {
  const { file, sessions, wanted } = await open();
  const child = start([file, wanted.id, wanted.account, "3000"]);
  const { outcome, begunAt } = await firstMessage(child);
  expect(outcome).toBe("begun");
  await kill(child);

  const outcomes = [];
  for (;;) {
    const begun = await sessions.beginTurn(wanted, newTurn());
    outcomes.push(begun.outcome);
    if (begun.outcome !== "busy") break;
    await sleep(20);
  }
  expect(outcomes.at(-1)).toBe("begun");
  expect(Date.now()).toBeGreaterThanOrEqual(begunAt + 3_000);
  expect(await sessions.renewTurn(wanted, { turnId: "never ends", leaseMs: 1_000 })).toBe(false);
  expect(await contents(sessions, wanted)).toEqual([]);
}, 60_000);

it("killed processes leave only complete turns behind", async () => {
  const { file, database, sessions, wanted } = await open();
  for (let round = 1; round <= 6; round++) {
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

/** The first message that the process sends, or its exit code if it sends none. */
async function firstMessage(child: ChildProcess) {
  const [first] = await Promise.race([once(child, "message"), once(child, "exit")]);
  return first;
}

/** Kills the process with SIGKILL; fails if it has already exited. */
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

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
  expect(await Promise.all(children.map(told))).toEqual(["busy", "busy", "busy"]);
  const ends = children.map((child) => once(child, "exit"));
  await sessions.endTurn(wanted, { turnId, messages: [], images: [] });
  expect(await Promise.all(ends)).toEqual([0, 0, 0].map((code) => [code, null]));
  expect(await contents(sessions, wanted)).toEqual(wholeTurns(90));
}, 60_000);

it("the turn of a killed process keeps others out until its lease ends, and no longer", async () => {
  const { file, sessions, wanted } = await open();
  const child = start([file, wanted.id, wanted.account, "3000"]);
  const { outcome, begunAt } = await told(child);
  expect(outcome).toBe("begun");
  await kill(child);

  const asked = [];
  for (;;) {
    const answer = await sessions.beginTurn(wanted, newTurn());
    asked.push(answer.outcome);
    if (answer.outcome !== "busy") break;
    await sleep(20);
  }
  expect(asked.at(-1)).toBe("begun");
  expect(Date.now()).toBeGreaterThanOrEqual(begunAt + 3_000);
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

/** What the process says first; its exit code when it ends without a word. */
async function told(child: ChildProcess) {
  const [first] = await Promise.race([once(child, "message"), once(child, "exit")]);
  return first;
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

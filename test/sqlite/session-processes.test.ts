import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { sqliteSessionStore } from "@tollgate/sqlite";
import { expect, it, onTestFinished } from "vitest";
import { newSession, newTurn, said } from "./session.ts";
import { temporaryDatabase } from "./temporary-database.ts";

const run = promisify(execFile);
const cwd = import.meta.dirname;

// The processes import the package as published, so it must have been built.
it("turns of several processes run one at a time, and each sees the messages of all before it", async () => {
  const { file, sessions, wanted } = await open();
  const work = () => run(process.execPath, ["turns.mjs", file, wanted.id, wanted.account, "30"], { cwd });
  const printed = await Promise.all([work(), work(), work()]);
  const counts = printed.map(({ stdout }) => JSON.parse(stdout));
  expect(counts.map(({ taken }) => taken)).toEqual([30, 30, 30]);
  expect(counts.some(({ busy }) => busy > 0)).toBe(true);
  const page = await sessions.messages(wanted, { limit: 100 });
  expect(page?.messages.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 90 }, (_, at) => at + 1));
  expect(page?.messages.map(({ message }) => message)).toEqual(
    Array.from({ length: 90 }, (_, at) => said(`after ${at}`)),
  );
}, 60_000);

it("the turn of a killed process keeps others out until its lease ends, and no longer", async () => {
  const { file, sessions, wanted } = await open();
  const child = fork("turns.mjs", [file, wanted.id, wanted.account], { cwd, execArgv: [] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [told] = await Promise.race([once(child, "message"), once(child, "exit")]);
  expect(told).toMatchObject({ outcome: "begun" });
  child.kill("SIGKILL");
  await once(child, "exit");

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
  expect(await sessions.messages(wanted, { limit: 1 })).toEqual({ messages: [] });
}, 60_000);

async function open() {
  const { file, connect } = temporaryDatabase();
  const sessions = sqliteSessionStore(connect());
  const wanted = newSession();
  await sessions.create(wanted);
  return { file, sessions, wanted };
}

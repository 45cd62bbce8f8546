import { deepEqual, equal } from "node:assert/strict";
import type { SessionRef, StoredLog } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { logOf, type SessionContext } from "./context.ts";

/** The cases of `appendLog` and `logs`. */
export const logCases: Cases<SessionContext> = {
  "a session without logs has one empty page": async ({ create, store }) => {
    deepEqual(await store.logs(await create(), { limit: 10 }), { logs: [] });
  },
  "a log is stored unchanged": async ({ create, peer, store }) => {
    const session = await create();
    const log = logOf(session, "refund");
    const failed = logOf(session, "refund", {
      request: null,
      response: null,
      outcome: "not_sent",
      error: { code: "blocked_target", detail: "The address is private." },
      attempts: [{ duration_ms: 1, status: null, failure: "blocked_target" }],
      warnings: ["a warning"],
    });
    equal(await store.appendLog(session, log), true);
    equal(await store.appendLog(session, failed), true);
    deepEqual(await peer.logs(session, { limit: 10 }), {
      logs: [
        { sequence: 2, log: failed },
        { sequence: 1, log },
      ],
    });
  },
  "logs are in order from the newest, in pages without gaps or duplicates": async (context) => {
    const session = await context.create();
    for (let at = 1; at <= 12; at++) await context.store.appendLog(session, logOf(session, `t${at}`));
    const pages = await readPages(context, session, 5);
    deepEqual(pages.map(triggers), [
      ["t12", "t11", "t10", "t9", "t8"],
      ["t7", "t6", "t5", "t4", "t3"],
      ["t2", "t1"],
    ]);
    deepEqual(
      pages.flat().map(({ sequence }) => sequence),
      [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    );
  },
  "a page that ends with the first log has no next page": async ({ create, store }) => {
    const session = await create();
    for (const trigger of ["a", "b"]) await store.appendLog(session, logOf(session, trigger));
    equal((await store.logs(session, { limit: 2 }))?.next, undefined);
    equal((await store.logs(session, { limit: 1, before: 2 }))?.next, undefined);
    deepEqual(await store.logs(session, { limit: 10, before: 1 }), { logs: [] });
  },
  "logs that are added during paging are not on later pages": async (context) => {
    const session = await context.create();
    for (const trigger of ["a", "b", "c"]) await context.store.appendLog(session, logOf(session, trigger));
    const pages = await readPages(context, session, 2, async () => {
      await context.store.appendLog(session, logOf(session, "added"));
    });
    deepEqual(pages.flatMap(triggers), ["c", "b", "a"]);
  },
  "a log can be added before, during and after a turn": async ({ begun, create, store }) => {
    const session = await create();
    equal(await store.appendLog(session, logOf(session, "none")), true);
    const { turnId } = await begun(session);
    equal(await store.appendLog(session, logOf(session, "running")), true);
    await store.endTurn(session, { turnId, messages: [], images: [] });
    equal(await store.appendLog(session, logOf(session, "ended")), true);
    deepEqual(triggers((await store.logs(session, { limit: 10 }))?.logs ?? []), ["ended", "running", "none"]);
  },
  "a turn that has lost its lock can add a log": async ({ begin, begun, create, store, until }) => {
    const session = await create();
    await begun(session, { leaseMs: 30 });
    await until(async () => (await begin(session)).outcome === "begun");
    equal(await store.appendLog(session, logOf(session, "late")), true);
    equal((await begin(session)).outcome, "busy");
  },
  "a log changes neither the session nor its messages": async ({ create, store, wait }) => {
    const session = await create();
    await wait(10);
    await store.appendLog(session, logOf(session, "a"));
    deepEqual(await store.find(session), session);
    deepEqual(await store.messages(session, { limit: 10 }), { messages: [] });
  },
  "logs of an unknown session are absent and cannot be added": async ({ account, store }) => {
    const ref = { id: crypto.randomUUID(), account };
    equal(await store.appendLog(ref, logOf(ref, "a")), false);
    equal(await store.logs(ref, { limit: 10 }), undefined);
  },
};

async function readPages(
  { store }: SessionContext,
  ref: SessionRef,
  limit: number,
  between?: () => Promise<void>,
): Promise<(readonly StoredLog[])[]> {
  const pages = [];
  let before: number | undefined;
  do {
    const page = await store.logs(ref, { limit, ...(before === undefined ? {} : { before }) });
    pages.push(page?.logs ?? []);
    before = page?.next;
    await between?.();
  } while (before !== undefined && pages.length < 10);
  return pages;
}

function triggers(logs: readonly StoredLog[]): string[] {
  return logs.map(({ log }) => log.trigger);
}

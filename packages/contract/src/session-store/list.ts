import { deepEqual, equal } from "node:assert/strict";
import type { Session, SessionPosition } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { type SessionContext, said } from "./context.ts";

/** The cases of `list`. */
export const listCases: Cases<SessionContext> = {
  "an account without sessions has one empty page": async ({ account, store }) => {
    deepEqual(await store.list(account, { limit: 10 }), { sessions: [] });
  },
  "sessions are in order from the newest, complete, in pages without gaps or duplicates": async (context) => {
    const made: Session[] = [];
    for (let at = 0; at < 7; at++) made.push(await context.create({ clientData: { at } }));
    const pages = await readPages(context, 3);
    deepEqual(
      pages.map((page) => page.length),
      [3, 3, 1],
    );
    deepEqual(pages.flat(), made.toSorted(newestFirst));
  },
  "sessions are ordered by creation and not by use": async (context) => {
    const first = await context.create();
    await context.wait(10);
    const second = await context.create();
    await context.turn(first, [said("a")]);
    deepEqual(
      (await readPages(context, 10)).flat().map(({ id }) => id),
      [second.id, first.id],
    );
  },
  "sessions of other accounts are not listed": async ({ account, create, store }) => {
    const mine = await create();
    const other = await create({ account: `${account}-other` });
    deepEqual((await store.list(account, { limit: 10 })).sessions, [mine]);
    deepEqual((await store.list(other.account, { limit: 10 })).sessions, [other]);
    deepEqual((await store.list("", { limit: 10 })).sessions, []);
  },
  "deleted and expired sessions are not listed": async ({ create, store, until, account }) => {
    const [deleted, kept, ended] = [await create(), await create(), await create({ ttlMs: 30 })];
    await store.delete(deleted);
    await until(async () => (await store.find(ended)) === undefined);
    deepEqual(await store.list(account, { limit: 10 }), { sessions: [kept] });
  },
  "a cursor stays valid after its session is deleted": async ({ account, create, store, wait }) => {
    const made: Session[] = [];
    for (let at = 0; at < 4; at++) {
      made.unshift(await create());
      await wait(5);
    }
    const { sessions, next } = await store.list(account, { limit: 2 });
    deepEqual(sessions, made.slice(0, 2));
    for (const session of sessions.slice(-1)) await store.delete(session);
    deepEqual(await store.list(account, { limit: 2, ...(next && { before: next }) }), { sessions: made.slice(2) });
  },
  "a session that is created during paging is not on later pages": async (context) => {
    const made = [await context.create(), await context.create(), await context.create()];
    const pages = await readPages(context, 2, async () => {
      await context.wait(5);
      await context.create();
    });
    deepEqual(new Set(pages.flat().map(({ id }) => id)), new Set(made.map(({ id }) => id)));
  },
  "a page that ends with the last session has no next page": async ({ account, create, store }) => {
    await create();
    await create();
    equal((await store.list(account, { limit: 2 })).next, undefined);
    equal((await store.list(account, { limit: 3 })).next, undefined);
  },
  "a page stays within its limit of bytes, and the next one continues": async (context) => {
    for (let at = 0; at < 5; at++) await context.create({ clientData: { a: "é".repeat(1_000) } });
    const pages = await readPages(context, 10, undefined, 4_500);
    deepEqual(
      pages.map((page) => page.length),
      [2, 2, 1],
    );
    equal(new Set(pages.flat().map(({ id }) => id)).size, 5);
    deepEqual(
      (await readPages(context, 10, undefined, 1)).map((page) => page.length),
      [1, 1, 1, 1, 1],
    );
  },
};

/** Compares by creation and then by id, both descending. */
export const newestFirst = (a: Session, b: Session): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);

async function readPages(
  { account, store }: SessionContext,
  limit: number,
  between?: () => Promise<void>,
  maxBytes = 1_000_000,
): Promise<(readonly Session[])[]> {
  const pages = [];
  let before: SessionPosition | undefined;
  do {
    const page = await store.list(account, { limit, maxBytes, ...(before && { before }) });
    pages.push(page.sessions);
    before = page.next;
    await between?.();
  } while (before !== undefined && pages.length < 10);
  return pages;
}

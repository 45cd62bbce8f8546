import { deepEqual, equal } from "node:assert/strict";
import type { SessionRef, StoredMessage } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import { type SessionContext, said } from "./context.ts";

/** The cases of `messages`. */
export const messageCases: Cases<SessionContext> = {
  "a session without messages has one empty page": async ({ create, store }) => {
    deepEqual(await store.messages(await create(), { limit: 10 }), { messages: [] });
  },
  "messages have their position and the time of their turn": async ({ create, store, turn }) => {
    const session = await create();
    await turn(session, [said("a"), said("b")]);
    await turn(session, [said("c")]);
    const { messages = [] } = { ...(await store.messages(session, { limit: 10 })) };
    deepEqual(positions(messages), [1, 2, 3]);
    deepEqual(contents(messages), ["a", "b", "c"]);
    for (const { at } of messages) equal(Math.abs(Date.now() - at.getTime()) < 60_000, true);
  },
  "a later turn has a later time": async ({ create, store, turn, wait }) => {
    const session = await create();
    await turn(session, [said("a")]);
    await wait(10);
    await turn(session, [said("b")]);
    const { messages = [] } = { ...(await store.messages(session, { limit: 10 })) };
    const [first, second] = messages.map(({ at }) => at.getTime());
    equal((second ?? 0) > (first ?? 0), true);
  },
  "pages are consecutive, without gaps or duplicates": async (context) => {
    const session = await context.create();
    for (let at = 0; at < 12; at++) await context.turn(session, [said(`${at}`)]);
    const pages = await readPages(context, session, 5);
    deepEqual(pages.map(contents), [
      ["0", "1", "2", "3", "4"],
      ["5", "6", "7", "8", "9"],
      ["10", "11"],
    ]);
  },
  "a page that ends with the last message has no next page": async ({ create, store, turn }) => {
    const session = await create();
    await turn(session, [said("a"), said("b")]);
    equal((await store.messages(session, { limit: 2 }))?.next, undefined);
    equal((await store.messages(session, { limit: 1, after: 1 }))?.next, undefined);
  },
  "any position is a valid cursor, and the page starts after it": async ({ create, store, turn }) => {
    const session = await create();
    await turn(session, ["a", "b", "c", "d"].map(said));
    const from = async (after: number) =>
      contents((await store.messages(session, { limit: 10, after }))?.messages ?? []);
    deepEqual(await from(0), ["a", "b", "c", "d"]);
    deepEqual(await from(2), ["c", "d"]);
    deepEqual(await store.messages(session, { limit: 10, after: 4 }), { messages: [] });
    deepEqual(await store.messages(session, { limit: 10, after: 1_000_000 }), { messages: [] });
  },
  "messages that are added during paging are on later pages": async (context) => {
    const session = await context.create();
    await context.turn(session, ["a", "b", "c"].map(said));
    let added = 0;
    const pages = await readPages(context, session, 2, async () => {
      if (added++ === 0) for (const content of ["added 1", "added 2"]) await context.turn(session, [said(content)]);
    });
    deepEqual(pages.flatMap(contents), ["a", "b", "c", "added 1", "added 2"]);
    deepEqual(pages.flatMap(positions), [1, 2, 3, 4, 5]);
  },
  "messages of a running turn are not listed": async ({ begun, create, store }) => {
    const session = await create();
    await begun(session);
    deepEqual(await store.messages(session, { limit: 10 }), { messages: [] });
  },
  "messages of an unknown session are absent": async ({ account, store }) => {
    equal(await store.messages({ id: crypto.randomUUID(), account }, { limit: 10 }), undefined);
  },
};

async function readPages(
  { store }: SessionContext,
  ref: SessionRef,
  limit: number,
  between?: () => Promise<void>,
): Promise<(readonly StoredMessage[])[]> {
  const pages = [];
  let after: number | undefined;
  do {
    const page = await store.messages(ref, { limit, ...(after === undefined ? {} : { after }) });
    pages.push(page?.messages ?? []);
    after = page?.next;
    await between?.();
  } while (after !== undefined && pages.length < 10);
  return pages;
}

function positions(messages: readonly StoredMessage[]): number[] {
  return messages.map(({ sequence }) => sequence);
}

function contents(messages: readonly StoredMessage[]): unknown[] {
  return messages.map(({ message }) => message.content);
}

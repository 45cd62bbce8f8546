import { deepEqual, equal, ok } from "node:assert/strict";
import type { ChatMessage } from "@tollgate/core/provider";
import type { Cases } from "../suite.ts";
import { logOf, type SessionContext, said } from "./context.ts";

/** The cases of limits in bytes for pages of messages and logs, and for histories. */
export const pageByteCases: Cases<SessionContext> = {
  "a page of messages stays within its limit of bytes, and the next one continues": async (context) => {
    const { create, store, turn } = context;
    const session = await create();
    await turn(session, sized([1_000, 1_000, 1_000, 9_000, 10, 10]));
    const page = async (after: number, maxBytes = 2_500) => {
      const { messages = [], next } = { ...(await store.messages(session, { limit: 4, maxBytes, after })) };
      return [messages.map(({ sequence }) => sequence), next];
    };
    deepEqual(await page(0), [[1, 2], 2]);
    deepEqual(await page(2), [[3], 3]);
    // Larger than the limit, so it is alone on its page.
    deepEqual(await page(3), [[4], 4]);
    deepEqual(await page(4), [[5, 6], undefined]);
    deepEqual(await page(0, 1_000_000), [[1, 2, 3, 4], 4]);
  },
  "a page of logs stays within its limit of bytes, and the next one continues": async ({ create, store }) => {
    const session = await create();
    for (const length of [10, 10, 20_000, 4_000, 4_000, 4_000]) {
      await store.appendLog(session, logOf(session, "a", { warnings: ["é".repeat(length / 2)] }));
    }
    const page = async (before?: number) => {
      const wanted = { limit: 4, maxBytes: 11_000, ...(before === undefined ? {} : { before }) };
      const { logs = [], next } = { ...(await store.logs(session, wanted)) };
      return [logs.map(({ sequence }) => sequence), next];
    };
    deepEqual(await page(), [[6, 5], 5]);
    deepEqual(await page(5), [[4], 4]);
    deepEqual(await page(4), [[3], 3]);
    deepEqual(await page(3), [[2, 1], undefined]);
  },
  "a history has the newest complete turns within its limit of bytes": async ({ begun, create, store, turn }) => {
    const session = await create();
    const turns = [sized([10, 10]), sized([1_000, 1_000]), sized([500, 500]), sized([1_000, 10])];
    for (const messages of turns) await turn(session, messages);
    for (const [historyBytes, count] of [
      [1_000_000, 4],
      [5_000, 4],
      [4_000, 2],
      [3_000, 2],
      [2_000, 1],
      [1_500, 1],
      [1, 1],
    ] as const) {
      const { turnId, messages } = await begun(session, { historyBytes });
      deepEqual(messages, turns.slice(-count).flat(), `a history of at most ${historyBytes} bytes`);
      await store.endTurn(session, { turnId, messages: [], images: [] });
    }
  },
  "a history can be limited in bytes and in messages": async ({ begun, create, turn }) => {
    const session = await create();
    for (const length of [10, 3_000, 10, 10]) await turn(session, sized([length, 10]));
    equal((await begun(session, { historyBytes: 1_000, historyLimit: 7 })).messages.length, 4);
  },
  "a turn whose history and images exceed `loadBytes` gets their size and no lock": async (context) => {
    const { begin, begun, create, store, turn } = context;
    const session = await create();
    await turn(session, sized([9_000]));
    await turn(session, [said("é".repeat(1_000))], ["i".repeat(500), "é".repeat(500)]);
    // The older turn is not loaded, so it does not count.
    const start = await begin(session, { historyBytes: 5_000, loadBytes: 3_000 });
    if (start.outcome !== "larger") throw new Error(`The outcome must be larger, and was ${start.outcome}.`);
    // How the images are encoded is up to the store.
    ok(start.bytes > 3_500 && start.bytes < 3_800, `${start.bytes} bytes`);
    equal((await begin(session, { historyBytes: 5_000, loadBytes: start.bytes - 1 })).outcome, "larger");
    const { turnId } = await begun(session, { historyBytes: 5_000, loadBytes: start.bytes });
    equal((await begin(session, { loadBytes: 1 })).outcome, "busy");
    await store.endTurn(session, { turnId, messages: [], images: [] });
    const foreign = { id: session.id, account: `${session.account}-other` };
    equal((await begin(foreign, { loadBytes: 1 })).outcome, "unknown");
  },
  "bytes are counted in UTF-8": async ({ begun, create, store, turn }) => {
    const session = await create();
    for (let at = 0; at < 3; at++) await turn(session, [said("日".repeat(1_000))]);
    equal((await store.messages(session, { limit: 10, maxBytes: 5_000 }))?.messages.length, 1);
    equal((await begun(session, { historyBytes: 7_000 })).messages.length, 2);
  },
};

const sized = (lengths: readonly number[]): ChatMessage[] => lengths.map((length) => said("x".repeat(length)));

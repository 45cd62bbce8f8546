import { deepEqual, equal, rejects } from "node:assert/strict";
import { callConcurrently, tally } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { found, item, longest, newResponse, type ResponseContext } from "./context.ts";

/** Texts that a store could change: escapes, characters of several bytes, digits, white space, the order of members. */
const unusualJson = [
  String.raw`"\u0000\ud800\u2028 <script>"`,
  '{"b":1,"a":{"__proto__":{"x":1}},"a2":12345678901234567890.10,"n":1e2}',
  '"日本 🦀 é é"',
  " [ 1 ,\n\t2 ] ",
  `"${"x".repeat(300_000)}"`,
];

/** The cases of `save` and `find`. */
export const saveCases: Cases<ResponseContext> = {
  "a response is found as soon as it is saved, with all its members": async ({ account, peer, save }) => {
    const first = await save();
    const { id, response } = await save({ previousId: first.id, response: '{"a":1}' });
    const { createdAt, ...content } = { ...(await peer.find({ id, account })) };
    deepEqual(content, { id, account, response, previousId: first.id });
    // A tolerance of one minute, since the store can use the clock of another machine.
    equal(Math.abs(Date.now() - Number(createdAt?.getTime())) < 60_000, true);
  },
  "a response without a previous one has no `previousId`": async ({ save, store }) => {
    equal("previousId" in { ...(await store.find(await save())) }, false);
  },
  "an unknown response is not found": async ({ account, store }) => {
    for (const id of ["resp_unknown", "x", "", "__proto__", "' or 1=1--", "\0", "\ud800"]) {
      equal(await store.find({ id, account }), undefined);
    }
  },
  "a response and its items are stored unchanged": async ({ peer, save, store }) => {
    const items = unusualJson.map((json) => ({ ...item(""), json }));
    const [input, output] = [items.slice(0, 3), items.slice(3)];
    for (const response of unusualJson) {
      const saved = await save({ response, input, output });
      equal((await peer.find(saved))?.response, response);
      deepEqual(found(await store.conversation(saved, longest)), items);
      deepEqual((await store.input(saved, { limit: 9, order: "asc" }))?.items, input);
    }
  },
  "a response without items is stored": async ({ save, store }) => {
    const saved = await save({ input: [], output: [] });
    equal((await store.find(saved))?.response, saved.response);
    deepEqual(await store.conversation(saved, longest), { outcome: "found", items: [] });
    deepEqual(await store.input(saved, { limit: 1, order: "desc" }), { items: [], hasMore: false });
  },
  "a second save with the same id changes nothing": async ({ save, store, trySave }) => {
    const saved = await save({ response: '{"first":true}' });
    const before = await store.find(saved);
    const again = { id: saved.id, response: '{"first":false}', input: [item("other")], output: [] };
    deepEqual(await trySave(again), { outcome: "saved" });
    deepEqual(await trySave({ ...again, maxAccountBytes: 1 }), { outcome: "saved" });
    deepEqual(await store.find(saved), before);
    deepEqual(found(await store.conversation(saved, longest)), [...saved.input, ...saved.output]);
  },
  "20 concurrent saves with the same id store one of them": async (context) => {
    const { account, store } = context;
    const { id } = newResponse(account);
    const results = await callConcurrently(context, 20, (client, at) =>
      context.trySave({ id, response: `{"at":${at}}`, input: [item(`in ${at}`)], output: [item(`out ${at}`)] }, client),
    );
    deepEqual(tally(results), { saved: 20 });
    const stored = (await store.find({ id, account }))?.response ?? "";
    const at = /\d+/.exec(stored)?.[0];
    const texts = found(await store.conversation({ id, account }, longest)).map(({ json }) => JSON.parse(json).text);
    deepEqual(texts, [`in ${at}`, `out ${at}`]);
  },
  "the id of another account's response throws and changes nothing": async ({ account, save, store }) => {
    const saved = await save();
    const before = await store.find(saved);
    await rejects(async () => store.save(newResponse(`${account}-other`, { id: saved.id })));
    deepEqual(await store.find(saved), before);
    equal(await store.find({ id: saved.id, account: `${account}-other` }), undefined);
  },
  "changing an argument afterwards has no effect on the store": async ({ save, store }) => {
    const [input, output] = [[item("asked")], [item("answered")]];
    const saved = await save({ input, output });
    input.push(item("added"));
    output.pop();
    equal(found(await store.conversation(saved, longest)).length, 2);
    equal((await store.input(saved, { limit: 9, order: "asc" }))?.items.length, 1);
  },
  "a lifetime that is not a positive whole number throws": async ({ trySave }) => {
    for (const ttlMs of [0, -1, 1.5, Number.NaN]) await rejects(async () => trySave({ ttlMs }));
  },
};

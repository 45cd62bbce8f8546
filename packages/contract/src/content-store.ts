import { deepEqual, equal } from "node:assert/strict";
import type { ContentStore, RequestContentRecord } from "@tollgate/core/store";
import { type Cases, type OpenedWithDefaults, runSuite, type SuiteOptions } from "./suite.ts";

/** The suite for every ContentStore. Each case uses new ids. */
export function contentStoreContract(options: SuiteOptions<ContentStore>): void {
  runSuite(options, "ContentStore", { records: contentCases }, (opened, check) => check(opened));
}

const record = (changes: Partial<RequestContentRecord> = {}): RequestContentRecord => ({
  id: crypto.randomUUID(),
  at: new Date(),
  account: "acme",
  keyId: "key_1",
  model: "everyday-1",
  request: { model: "everyday-1", messages: [{ role: "user", content: "Grüße, 日本 🦀 \u0000" }] },
  response: { choices: [{ message: { content: "<script>" } }] },
  ...changes,
});

const dayMs = 86_400_000;

const contentCases: Cases<OpenedWithDefaults<ContentStore>> = {
  "a record is stored unchanged": async ({ store, peer }) => {
    const stored = record();
    await store.record([stored]);
    deepEqual(await peer.find(stored.id), stored);
  },
  "a record without request and response is stored": async ({ store }) => {
    const { request: _request, response: _response, ...stored } = record();
    await store.record([stored]);
    deepEqual(await store.find(stored.id), stored);
  },
  "an unknown id has no record": async ({ store }) => {
    for (const id of [crypto.randomUUID(), "../../etc/passwd", "", "__proto__"]) equal(await store.find(id), undefined);
  },
  "a repeated record keeps the first content": async ({ store }) => {
    const stored = record();
    await store.record([stored]);
    await store.record([{ ...stored, response: "other" }, record()]);
    deepEqual(await store.find(stored.id), stored);
  },
  "20 parallel records of one id keep one content": async ({ store }) => {
    const stored = record();
    await Promise.all(Array.from({ length: 20 }, (_, at) => store.record([{ ...stored, response: at }])));
    const { response } = (await store.find(stored.id)) ?? {};
    equal(typeof response, "number");
    deepEqual(await store.find(stored.id), { ...stored, response });
  },
  "pruning removes records that are older than the date": async ({ store }) => {
    const [old, recent] = [record({ at: new Date(Date.now() - 3 * dayMs) }), record()];
    await store.record([old, recent]);
    equal((await store.prune(new Date(Date.now() - dayMs))) >= 1, true);
    deepEqual([await store.find(old.id), await store.find(recent.id)], [undefined, recent]);
  },
};

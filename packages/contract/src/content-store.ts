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
  "the records of an account are listed once each, in pages, and those of others are not": async ({ store, peer }) => {
    const account = `account-${crypto.randomUUID()}`;
    const own = Array.from({ length: 5 }, (_, day) => record({ account, at: new Date(Date.now() - day * dayMs) }));
    await store.record([...own, record()]);
    const listed = await listAll(peer, account);
    deepEqual(listed.toSorted(byId), own.toSorted(byId));
    deepEqual(await listAll(store, "nobody"), []);
  },
  "removed records are gone, and the others are kept": async ({ store, peer }) => {
    const account = `account-${crypto.randomUUID()}`;
    const [gone, kept] = [record({ account }), record({ account })];
    await store.record([gone, kept]);
    equal(await store.remove([gone, record({ id: "../kept" })]), 1);
    equal(await store.remove([gone]), 0);
    deepEqual(await listAll(peer, account), [kept]);
  },
  "pruning removes records that are older than the date": async ({ store }) => {
    const [old, recent] = [record({ at: new Date(Date.now() - 3 * dayMs) }), record()];
    await store.record([old, recent]);
    equal((await store.prune(new Date(Date.now() - dayMs))) >= 1, true);
    deepEqual([await store.find(old.id), await store.find(recent.id)], [undefined, recent]);
  },
};

async function listAll(store: ContentStore, account: string): Promise<readonly RequestContentRecord[]> {
  const found: RequestContentRecord[] = [];
  let after: string | undefined;
  do {
    const page = await store.list({ account, limit: 2, ...(after === undefined ? {} : { after }) });
    equal(page.records.length <= 2, true, "A page must not exceed its limit.");
    found.push(...page.records);
    after = page.next;
  } while (after !== undefined);
  return found;
}

const byId = (a: RequestContentRecord, b: RequestContentRecord): number => (a.id < b.id ? -1 : 1);

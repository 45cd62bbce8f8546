import { deepEqual, equal, rejects } from "node:assert/strict";
import type { KeyPage, KeyState } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import type { KeyContext } from "./context.ts";

/** The cases of `list`. */
export const listCases: Cases<KeyContext> = {
  "an account without keys has one empty page": async ({ store, account }) => {
    const page = await store.list({ account, limit: 10 });
    deepEqual([...page.keys], []);
    equal(page.next, undefined);
  },
  "keys are in order from the oldest, in pages without gaps or duplicates": async ({ store, account, issue }) => {
    const ids = [];
    for (let made = 0; made < 5; made++) ids.push((await issue()).key.id);
    const pages = [];
    let after: string | undefined;
    do {
      const page = await store.list({ account, limit: 2, ...(after === undefined ? {} : { after }) });
      pages.push(page.keys.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined && pages.length < 10);
    deepEqual(pages, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  },
  "a page that ends with the last key has no next page": async ({ store, account, issue }) => {
    await issue();
    await issue();
    equal((await store.list({ account, limit: 2 })).next, undefined);
  },
  "a misspelt filter throws, since it would list all keys": async ({ store, account }) => {
    const query = Object.assign({ limit: 10 }, { acount: account });
    await rejects(async () => store.list(query), { name: "RangeError", message: /Did you mean account\?/ });
  },
  "a list can be limited to one account": async ({ store, account, issue }) => {
    const { key } = await issue();
    const other = await issue({ account: `${account}-other` });
    deepEqual(
      (await store.list({ account, limit: 10 })).keys.map(({ id }) => id),
      [key.id],
    );
    const all = (await store.list({ limit: 1_000_000 })).keys.map(({ id }) => id);
    deepEqual([all.includes(key.id), all.includes(other.key.id)], [true, true]);
  },
  "ended keys are listed with their dates": async ({ store, account, issue }) => {
    const { key } = await issue();
    const revoked = await store.revoke(key.id);
    deepEqual((await store.list({ account, limit: 10 })).keys, [revoked]);
  },
  "a list can be limited to a state": async ({ store, account, issue }) => {
    const active = await issue({ expiresAt: new Date(Date.now() + 86_400_000) });
    const expired = await issue({ expiresAt: new Date(Date.now() - 86_400_000) });
    const revoked = await issue();
    const both = await issue({ expiresAt: new Date(Date.now() - 86_400_000) });
    await store.revoke(revoked.key.id);
    await store.revoke(both.key.id);
    const idsIn = async (state: KeyState) => idsOf(await store.list({ account, state, limit: 10 }));
    deepEqual(await idsIn("active"), [active.key.id]);
    deepEqual(await idsIn("expired"), [expired.key.id]);
    deepEqual(await idsIn("revoked"), [revoked.key.id, both.key.id]);
  },
  "a list can be limited to keys whose id, name or last four characters contain a text": async (context) => {
    const { store, account, issue } = context;
    const [plain, named] = [await issue({ name: "other" }), await issue({ name: "Acme 100% [Ä_b]" })];
    const idsWith = async (search: string) => idsOf(await store.list({ account, search, limit: 10 }));
    for (const search of ["acme", "ACME", "0% [", "Ä_B", ""])
      equal((await idsWith(search)).includes(named.key.id), true, search);
    for (const search of ["%", "[Ä_b]", "acme 1"]) deepEqual(await idsWith(search), [named.key.id], search);
    for (const search of ["acme_", "a%e", "'", "acme  100"]) deepEqual(await idsWith(search), [], search);
    deepEqual(await idsWith(plain.key.id.slice(3, 20).toUpperCase()), [plain.key.id]);
    equal((await idsWith(plain.key.lastFour)).includes(plain.key.id), true);
    equal((await idsWith("")).length, 2);
  },
  "accounts with keys are listed once, by the bytes of their ids, after an id and by prefix": async (context) => {
    const { store, account, issue } = context;
    // JavaScript orders the last two the other way round.
    const accounts = [account, `${account}-a`, `${account}-b`, `${account}-\uffee`, `${account}-\u{1f600}`];
    for (const each of [...accounts.toReversed(), account]) await issue({ account: each });
    const listed = async (query: { readonly limit: number; readonly after?: string; readonly prefix?: string }) =>
      (await store.accountsWithKeys({ prefix: account, ...query })).map(({ id }) => id);
    deepEqual(await listed({ limit: 10 }), accounts);
    deepEqual(await listed({ limit: 2 }), accounts.slice(0, 2));
    deepEqual(await listed({ limit: 10, after: accounts[1] ?? "" }), accounts.slice(2));
    deepEqual(await listed({ limit: 1, prefix: `${account}-` }), accounts.slice(1, 2));
    equal(
      (await store.accountsWithKeys({ limit: 1_000_000 })).some(({ id }) => id === account),
      true,
    );
  },
  "accounts with keys have the plans of their active keys, that of the newest first": async (context) => {
    const { store, account, issue } = context;
    for (const plan of ["basic", "pro", "free", "basic"]) await issue({ plan });
    const { key } = await issue({ plan: "revoked" });
    await store.revoke(key.id);
    await issue({ plan: "expired", expiresAt: new Date(Date.now() - 86_400_000) });
    await issue({ account: `${account}-ended`, expiresAt: new Date(Date.now() - 86_400_000) });
    deepEqual(
      (await store.accountsWithKeys({ prefix: account, limit: 10 })).map(({ id, plans }) => [id, [...plans]]),
      [
        [account, ["basic", "free", "pro"]],
        [`${account}-ended`, []],
      ],
    );
  },
  "pages of a filtered list have no gaps": async ({ store, account, issue }) => {
    const ids = [];
    for (let made = 0; made < 6; made++) {
      const { key } = await issue({ name: made % 2 === 0 ? "even" : "odd" });
      if (made % 2 === 0) ids.push(key.id);
    }
    const first = await store.list({ account, search: "even", state: "active", limit: 2 });
    const after = first.next;
    const last = await store.list({ account, search: "even", state: "active", limit: 2, ...(after && { after }) });
    deepEqual([idsOf(first), idsOf(last), last.next], [ids.slice(0, 2), ids.slice(2), undefined]);
  },
};

const idsOf = ({ keys }: KeyPage): readonly string[] => keys.map(({ id }) => id);

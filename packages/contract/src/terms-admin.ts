import { deepEqual, equal, rejects } from "node:assert/strict";
import type { AcceptancePosition, TermsAcceptance, TermsAdmin, TermsStore } from "@tollgate/core/store";
import { type Cases, type OpenedWithDefaults, runSuite, type SuiteOptions } from "./suite.ts";

type Query = Parameters<TermsAdmin["listAcceptances"]>[0];

interface TermsAdminContext extends OpenedWithDefaults<TermsStore & TermsAdmin> {
  /** The beginning of the names of all accounts of this case. */
  readonly account: string;
  /** A version that only this case uses. */
  readonly version: string;
}

/** The suite for every store that is both a TermsStore and a TermsAdmin. Each case uses new accounts and versions. */
export function termsAdminContract(options: SuiteOptions<TermsStore & TermsAdmin>): void {
  runSuite(options, "TermsAdmin", { listAcceptances: listCases }, (opened, check) =>
    check({ ...opened, account: `account-${crypto.randomUUID()}`, version: `version-${crypto.randomUUID()}` }),
  );
}

const listCases: Cases<TermsAdminContext> = {
  "an unknown account or version has one empty page": async ({ store, account, version }) => {
    for (const query of [{ account }, { versionId: version }, { account, versionId: version }])
      deepEqual(await store.listAcceptances({ ...query, limit: 10 }), { acceptances: [] });
    for (const name of ["a\0b", "\ud800"])
      deepEqual(await store.listAcceptances({ account: name, versionId: name, limit: 10 }), { acceptances: [] });
  },
  "a misspelt filter throws, since it would list all acceptances": async ({ store, version }) => {
    const query = Object.assign({ limit: 1 }, { versionid: version });
    await rejects(async () => store.listAcceptances(query), {
      name: "RangeError",
      message: /Did you mean versionId\?/,
    });
  },
  "acceptances are listed as they were stored, of one account or one version": async (context) => {
    const { store, peer, account, version } = context;
    const [one, other] = [await store.accept(`${account}-1`, version), await store.accept(`${account}-2`, version)];
    const older = await store.accept(one.account, `${version}-older`);
    await store.accept(one.account, version);
    deepEqual((await peer.listAcceptances({ versionId: version, limit: 10 })).acceptances, [one, other]);
    deepEqual((await peer.listAcceptances({ account: one.account, limit: 10 })).acceptances, [one, older]);
    const both = { account: one.account, versionId: older.versionId, limit: 10 };
    deepEqual((await peer.listAcceptances(both)).acceptances, [older]);
  },
  "without a filter, all acceptances are listed": async (context) => {
    const { store, account, version } = context;
    const made = [await store.accept(`${account}-1`, version), await store.accept(`${account}-2`, `${version}-b`)];
    const all = await read(context, {}, 100);
    deepEqual(
      all.filter((each) => each.account.startsWith(account)),
      made,
    );
    equal(new Set(all.map((each) => JSON.stringify([each.account, each.versionId]))).size, all.length);
  },
  "names are in the order of their bytes": async (context) => {
    const { store, account, version } = context;
    // UTF-16 orders the last two the other way round.
    const names = ["", " ", "-", "A", "B", "a", "b", "é", "\uff5e", "🙂"];
    for (const name of names.toReversed()) await store.accept(`${account}${name}`, version);
    for (const name of names) await store.accept(account, `${version}${name}`);
    const ofVersion = await read(context, { versionId: version }, 3);
    deepEqual(
      ofVersion.map((each) => each.account),
      names.map((name) => account + name),
    );
    const ofAccount = await read(context, { account }, 3);
    deepEqual(
      ofAccount.map((each) => each.versionId),
      names.map((name) => version + name),
    );
  },
  "pages have no gaps or duplicates, and the last one has no next": async (context) => {
    const { store, account, version } = context;
    for (const name of ["1", "2", "3", "4"]) await store.accept(account + name, version);
    const first = await store.listAcceptances({ versionId: version, limit: 2 });
    deepEqual(first.next, { account: `${account}2`, versionId: version });
    const last = await store.listAcceptances({
      versionId: version,
      limit: 2,
      ...(first.next && { after: first.next }),
    });
    deepEqual(
      last.acceptances.map((each) => each.account),
      [`${account}3`, `${account}4`],
    );
    equal(last.next, undefined);
  },
  "a position need not exist": async ({ store, account, version }) => {
    const [, second] = [await store.accept(`${account}1`, version), await store.accept(`${account}3`, version)];
    const after = { account: `${account}2`, versionId: "zzz" };
    deepEqual((await store.listAcceptances({ versionId: version, limit: 10, after })).acceptances, [second]);
    const within = { account: second.account, versionId: "" };
    deepEqual((await store.listAcceptances({ versionId: version, limit: 10, after: within })).acceptances, [second]);
  },
};

async function read(
  { peer }: TermsAdminContext,
  query: Omit<Query, "limit" | "after">,
  limit: number,
): Promise<readonly TermsAcceptance[]> {
  const found: TermsAcceptance[] = [];
  let after: AcceptancePosition | undefined;
  do {
    const page = await peer.listAcceptances({ ...query, limit, ...(after && { after }) });
    equal(page.acceptances.length <= limit, true, "A page must not exceed its limit.");
    found.push(...page.acceptances);
    after = page.next;
  } while (after !== undefined);
  return found;
}

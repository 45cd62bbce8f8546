import { deepEqual, equal } from "node:assert/strict";
import type { UsageRow } from "@tollgate/core/store";
import { callConcurrently } from "../concurrent-calls.ts";
import type { Cases } from "../suite.ts";
import { hourMs, type UsageContext } from "./context.ts";

/** The cases of `record`. */
export const recordCases: Cases<UsageContext> = {
  "a row with all members is stored unchanged": async ({ store, row, account }) => {
    const full = row(1_234, {
      cost: 2n ** 53n + 1n,
      upstreamCost: 7n,
      holdId: crypto.randomUUID(),
      firstContentMs: 12,
      sessionId: "session-1",
      endUser: "it's \\ 日本 🙂",
      errorCode: "upstream_error",
      status: 502,
      estimated: true,
      tags: ["a,b", '{"c"}', ""],
      timeline: [
        { step: "admitted", at: 1 },
        { step: "attempt", at: 2, detail: 'acme/"up"' },
        { step: "attempt.failed", at: 3, detail: "credentials", status: 401, message: "The key [removed] is unknown" },
      ],
      answerId: "chatcmpl-1",
      attemptsByTarget: [
        { provider: "acme", upstreamModel: "up-1", attempts: 3, failed: { timeout: 1, credentials: 1 } },
        { provider: "b/c", upstreamModel: "d", attempts: 1, failed: {} },
      ],
    });
    equal(await store.record([full]), 1);
    deepEqual(await store.list({ filter: { account }, limit: 10 }), { rows: [full] });
  },
  "a row without optional members is stored unchanged": async ({ store, row, account }) => {
    const { model: _, target: __, ...least } = row(0);
    await store.record([least]);
    deepEqual(await store.list({ filter: { account }, limit: 10 }), { rows: [least] });
  },
  "text that a database cannot store holds up no other row": async ({ store, row, account, summary }) => {
    const odd = row(1, { endUser: "a\0b\ud800", tags: ["\0", "\udfff"], keyId: `${account}-\0` });
    equal(await store.record([row(0), odd, row(2)]), 3);
    equal((await store.list({ filter: { account }, limit: 5 })).rows.length, 3);
    deepEqual(await sums({ summary }), [3, 300n]);
  },
  "no rows are recorded": async ({ store }) => {
    equal(await store.record([]), 0);
  },
  "a row that exists is skipped and not counted again": async ({ store, row, summary }) => {
    const first = row(0);
    equal(await store.record([first, first]), 1);
    equal(await store.record([{ ...first, cost: 999n }, row(1)]), 1);
    deepEqual(await sums({ summary }), [2, 200n]);
    deepEqual(await sums({ summary }, { hour: true }), [2, 200n]);
  },
  "the same id at another time is another row": async ({ store, row, summary }) => {
    const first = row(0);
    equal(await store.record([first, { ...first, at: new Date(first.at.getTime() + 1) }]), 2);
    deepEqual(await sums({ summary }), [2, 200n]);
  },
  "concurrent batches with common rows count each row once": async (context) => {
    const rows = Array.from({ length: 60 }, (_, index) =>
      context.row((index % 7) * hourMs, {
        keyId: `${context.key}-${index % 5}`,
        model: `${context.model}-${index % 3}`,
      }),
    );
    const added = await callConcurrently(context, 12, (client, index) => client.record(batchOf(rows, index)));
    equal(
      added.reduce((sum, each) => sum + each, 0),
      60,
    );
    deepEqual(await sums(context), [60, 6_000n]);
    deepEqual(await sums(context, { hour: true }), [60, 6_000n]);
  },
};

/** Overlapping batches in different orders. */
function batchOf(rows: readonly UsageRow[], index: number): readonly UsageRow[] {
  const batch = [...rows.slice(index * 5), ...rows.slice(0, index * 5)].slice(0, 40);
  return index % 2 === 0 ? batch : batch.reverse();
}

/** The sum of the account's requests and cost: from totals, or from rows, which a filter of two dimensions reads. */
async function sums(
  { summary }: Pick<UsageContext, "summary">,
  { hour = false }: { readonly hour?: boolean } = {},
): Promise<[number, bigint]> {
  const found = await summary(hour ? { groupBy: "key", bucket: "hour" } : { groupBy: "account" });
  return [found.reduce((sum, { requests }) => sum + requests, 0), found.reduce((sum, { cost }) => sum + cost, 0n)];
}

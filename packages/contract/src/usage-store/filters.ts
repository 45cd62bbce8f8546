import { deepEqual } from "node:assert/strict";
import type { UsageFilter, UsageRow } from "@tollgate/core/store";
import type { Cases } from "../suite.ts";
import type { UsageContext } from "./context.ts";

/** Checks that a filter selects only the second of two rows, in a list and in a summary. */
async function expectSecond(
  context: UsageContext,
  [first, second]: readonly [Partial<UsageRow>, Partial<UsageRow>],
  filter: UsageFilter,
): Promise<void> {
  const { account, store, summary } = context;
  const rows = [context.row(0, { cost: 1n, ...first }), context.row(1, { cost: 2n, ...second })] as const;
  await store.record(rows);
  const own = { account, ...filter };
  deepEqual(await store.list({ filter: own, limit: 10 }), { rows: [rows[1]] });
  deepEqual(
    (await summary({ filter: own })).map(({ cost }) => cost),
    [2n],
  );
}

const acme = { provider: "acme", upstreamModel: "x/y" };
const id = crypto.randomUUID();

const pairs: Readonly<Record<string, readonly [[Partial<UsageRow>, Partial<UsageRow>], UsageFilter]>> = {
  model: [[{}, { model: "other" }], { model: "other" }],
  key: [[{}, { keyId: "other" }], { key: "other" }],
  target: [[{}, { target: acme }], { target: "acme/x/y" }],
  status: [[{}, { status: 429 }], { status: 429 }],
  session: [[{}, { sessionId: "s" }], { session: "s" }],
  "end user": [[{ endUser: "b" }, { endUser: "a'" }], { endUser: "a'" }],
  tag: [[{ tags: ["ab", "b"] }, { tags: ["b", 'a"'] }], { tag: 'a"' }],
  "request id": [[{}, { requestId: "chosen" }], { requestId: "chosen" }],
  "answer id": [[{ answerId: "chatcmpl-1" }, { answerId: "chatcmpl-2" }], { answerId: "chatcmpl-2" }],
  "failed requests": [[{ status: 499 }, { status: 500 }], { failed: true }],
  "refused requests": [[{ status: 500 }, { status: 400, ending: "upstream_failed" }], { refused: true }],
  "failed and refused requests": [[{}, { status: 400 }], { failed: true, refused: true }],
  "failed upstreams": [[{ ending: "client_gone" }, { ending: "upstream_failed" }], { failed: true }],
  "all members together": [
    [
      { endUser: "a", status: 400 },
      { endUser: "a", status: 404, tags: ["t"] },
    ],
    { endUser: "a", status: 404, tag: "t", dialect: "chat", refused: true },
  ],
};

/** The cases of filters. */
export const filterCases: Cases<UsageContext> = {
  ...Object.fromEntries(
    Object.entries(pairs).map(([name, [rows, filter]]) => [
      `a filter selects by ${name}`,
      (context: UsageContext) => expectSecond(context, rows, filter),
    ]),
  ),
  "a filter selects by the id of a row": (context) => expectSecond(context, [{}, { id }], { id }),
  "a filter selects by account": async ({ store, row, account, summary }) => {
    const own = row(0);
    await store.record([own, row(0, { account: `${account}-b` })]);
    deepEqual(await store.list({ filter: { account }, limit: 10 }), { rows: [own] });
    deepEqual(
      (await summary()).map(({ requests }) => requests),
      [1],
    );
  },
  "failed: false selects all requests": async ({ store, row, account, summary }) => {
    await store.record([row(0), row(1, { status: 500 })]);
    deepEqual((await store.list({ filter: { account, failed: false }, limit: 10 })).rows.length, 2);
    deepEqual(
      (await summary({ filter: { account, failed: false } })).map(({ requests }) => requests),
      [2],
    );
  },
  "names that no store can know select nothing": async ({ store, row, account, summary }) => {
    await store.record([row(0)]);
    for (const endUser of ["\0", "\ud800", "%", "_"]) {
      deepEqual(await store.list({ filter: { account, endUser }, limit: 10 }), { rows: [] });
      deepEqual(await summary({ filter: { account, endUser } }), []);
    }
  },
};

import { memoryBalanceStore } from "@tollgate/core";
import type { Entry, LotShare } from "@tollgate/core/store";
import { expect, it } from "vitest";
import { checkLots } from "./check-lots.ts";
import { checkRefunds } from "./check-refunds.ts";

const expiresAt = new Date(5);
const share = (amount: bigint, lot = "gift"): LotShare => ({ lot, kind: "granted", amount, expiresAt });
const entry = (at: number, kind: Entry["kind"], amount: bigint, more: Partial<Entry> = {}): Entry => ({
  sequence: BigInt(at),
  account: "ada",
  kind,
  amount,
  reference: `${kind} ${at}`,
  at: new Date(at),
  ...more,
});
const gift = entry(1, "credit", 10n, { lots: [share(10n)] });

it.each<[string, readonly Entry[], string | undefined]>([
  ["nothing in consistent entries", [gift, entry(6, "lapse", -10n, { lots: [share(10n)] })], undefined],
  ["a lot that pays more than it has", [gift, entry(2, "charge", -11n, { lots: [share(11n)] })], "takes more"],
  [
    "a lot that is taken from twice",
    [gift, ...[6, 7].map((at) => entry(at, "lapse", -10n, { lots: [share(10n)] }))],
    "takes",
  ],
  [
    "a lot that has more than is posted",
    [gift, entry(2, "charge", -3n)],
    "the lots have 10 after entry 2, with 7 posted",
  ],
  ["a lapse before its time", [gift, entry(4, "lapse", -10n, { lots: [share(10n)] })], "before its time"],
  ["a lapse of another amount", [gift, entry(6, "lapse", -9n, { lots: [share(8n)] })], "by another amount"],
])("the checker of lots reports %s", async (_title, ledger, problem) => {
  const found = (await checkLots(memoryBalanceStore(), "ada", ledger)).map((violation) => violation.problem).join();
  if (problem === undefined) expect(found).toBe("");
  else expect(found).toContain(problem);
});

it("the checker of lots reports what is left of a lot whose time has passed", async () => {
  const store = memoryBalanceStore();
  const expiring = [{ amount: 10n, expiresAt }];
  const stuck = { ...store, balance: () => ({ ...store.balance("ada"), expiring }) };
  const found = await checkLots(Object.assign(Object.create(store), stuck), "ada", []);
  expect(found.map(({ problem }) => problem)).toEqual([
    "ada: 1 lots still have something although their time has passed.",
  ]);
});

it("the checker of refunds reports refunds that are lost, doubled, or that no call made", () => {
  const refund = (at: number, amount: bigint) => entry(at, "refund", amount, { reference: "7" });
  const call = { verb: "refund", account: "ada", sequence: 7n, amount: 2n } as const;
  const moment = { happened: "answered", recorded: { call, begunAt: 0, answer: { outcome: "posted" } } } as const;
  const kinds = (ledger: readonly Entry[], moments = [moment]) =>
    checkRefunds("ada", ledger, moments).map(({ kind }) => kind);
  expect(kinds([refund(8, 2n)])).toEqual([]);
  expect(kinds([])).toEqual(["lost"]);
  expect(kinds([refund(8, 2n), refund(9, 2n)])).toEqual(["double"]);
  expect(kinds([refund(8, 3n)])).toEqual(["wrong", "lost"]);
  expect(kinds([refund(8, 2n)], [])).toEqual(["wrong"]);
});

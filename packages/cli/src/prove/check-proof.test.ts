import { memoryBalanceStore } from "@tollgate/core";
import { expect, it } from "vitest";
import { findDifferences } from "./check-proof.ts";
import { collectEvidence } from "./evidence.ts";
import type { JournalLine, ProofEvent } from "./journal.ts";

const account = "acme";
const receipt = { requestId: "request-1", model: "m", dialect: "chat" } as const;
const charge = {
  provider: "p",
  upstreamModel: "u",
  tokens: { input: 3, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 2, reasoning: 0 },
  basis: "reported",
  prices: { input: 1n, cachedInput: 1n, cacheWrite5m: 1n, cacheWrite1h: 1n, output: 1n, request: 0n },
  durationMs: 1,
  status: "complete",
} as const;

/** A ledger with a credit of 10 and one hold of 5 that was settled at 4, and what was acknowledged of them. */
async function settledOnce() {
  const balances = memoryBalanceStore();
  const hold = { id: crypto.randomUUID(), account };
  await balances.credit({ id: "credit-1", account, amount: 10n, reason: "top-up" });
  const terms = { leaseMs: 1_000, terms: [], spend: {}, notices: undefined, keyId: undefined };
  await balances.hold({ ...hold, ...terms, amount: 5n, receipt });
  await balances.settle(hold, 4n, charge);
  const events: readonly ProofEvent[] = [
    { did: "credit", id: "credit-1", account, amount: "10", outcome: "posted" },
    { did: "hold", ...hold, amount: "5", receipt },
    { did: "send", requestId: "request-1", input: 3, output: 2 },
    { did: "settle", id: hold.id, amount: "4", outcome: "ended", receipt: charge },
    { did: "answer", requestId: "request-1" },
    { did: "drain" },
  ];
  return { balances, hold, events };
}

type Settled = Awaited<ReturnType<typeof settledOnce>>;

/** Returns the kinds of what is found after a change of what was acknowledged or of the ledger. */
async function kindsAfter(change: (settled: Settled) => readonly ProofEvent[] | Promise<readonly ProofEvent[]>) {
  const settled = await settledOnce();
  const events = await change(settled);
  const journal = events.map((event, at): JournalLine => ({ ...event, at }));
  const found = await findDifferences(settled.balances, [account], collectEvidence([journal]));
  return found.map(({ kind }) => kind);
}

/** Changes the event of a kind. */
const changed = (events: readonly ProofEvent[], change: Partial<ProofEvent> & Pick<ProofEvent, "did">): ProofEvent[] =>
  events.map((event) => (event.did === change.did ? Object.assign({ ...event }, change) : event));

it("finds no difference where the ledger is what was acknowledged", async () => {
  expect(await kindsAfter(({ events }) => events)).toEqual([]);
});

it.each<[string, string, Parameters<typeof kindsAfter>[0]]>([
  ["a settlement of which a part is missing", "lost", ({ events }) => changed(events, { did: "settle", amount: "5" })],
  ["a settlement that found no hold", "lost", ({ events }) => changed(events, { did: "settle", outcome: "unknown" })],
  ["a credit that is missing", "lost", ({ events }) => changed(events, { did: "credit", id: "credit-2" })],
  ["a hold that is missing", "lost", ({ events }) => [...events, { ...held, id: crypto.randomUUID() }]],
  ["an answer that was never settled", "lost", ({ events }) => events.filter(({ did }) => did !== "settle")],
  ["an answer without a hold", "lost", ({ events }) => [...events, { did: "answer", requestId: "request-2" }]],
  ["more than the stand-in sent", "twice", ({ events }) => changed(events, { did: "send", input: 2 })],
  ["more than was acknowledged", "twice", ({ events }) => changed(events, { did: "settle", amount: "3" })],
  ["a charge without a hold", "twice", ({ events }) => events.filter(({ did }) => did !== "hold" && did !== "answer")],
  [
    "a balance below zero",
    "overspent",
    async ({ events, balances }) => {
      await balances.debit({ id: "debit-1", account, amount: 7n, reason: "correction" });
      return [...events, { ...held, id: "debit-1", amount: "7" }];
    },
  ],
])("finds %s", async (_title, kind, change) => {
  expect(await kindsAfter(change)).toContain(kind);
});

const held = { did: "hold", account, amount: "0", receipt: { requestId: "request-3" } } as const;

it("excuses an answer whose process was killed before its settlement was acknowledged", async () => {
  const cut = ({ events }: Settled) => events.filter(({ did }) => did !== "settle" && did !== "drain");
  expect(await kindsAfter(cut)).toEqual([]);
});

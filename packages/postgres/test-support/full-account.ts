import { setTimeout as sleep } from "node:timers/promises";
import type { BalanceStore, Entry, HoldReference, HoldRequest } from "@tollgate/core/store";
import { expect } from "vitest";
import type { PostgresStores } from "../src/index.ts";
import { logOf, said } from "./conversing.ts";
import { chargeReceipt, plainHold } from "./receipts.ts";

/** Stores of which an account has something of each kind. */
export type AccountStores = Omit<PostgresStores, "close" | "limiter" | "usage" | "audit">;

/** An account that has something of each kind. */
export interface FullAccount {
  readonly account: string;
  readonly secrets: readonly string[];
  readonly keyId: string;
  /** Holds by what has become of them. */
  readonly holds: Readonly<
    Record<"pending" | "settled" | "released" | "expired" | "late" | "same" | "ofHost", HoldReference>
  >;
  readonly sessionId: string;
  readonly turnId: string;
  readonly responseId: string;
  readonly tokenId: string;
  readonly tokenExpiresAt: Date;
}

const limit = { limit: 1_000_000n, window: "month" } as const;
const hourMs = 3_600_000;

/** Lets an account do everything that leaves rows of it. */
export async function fillAccount(stores: AccountStores, account: string): Promise<FullAccount> {
  const { keys, terms } = stores;
  const { key, secret } = await keys.create({ account, plan: "prepaid", name: "first", tags: ["team-a"] });
  const rotated = await keys.rotate(key.id, { graceMs: hourMs });
  await terms.accept(account, "terms-1");
  const tokenId = crypto.randomUUID();
  const tokenExpiresAt = new Date(Date.now() + hourMs);
  const holds = await moveMoney(stores, { account, keyId: key.id, tokenId, tokenExpiresAt });
  const { sessionId, turnId } = await converse(stores, account);
  const responseId = await storeResponses(stores, account);
  const secrets = [secret, rotated?.secret ?? ""];
  return { account, secrets, keyId: key.id, holds, sessionId, turnId, responseId, tokenId, tokenExpiresAt };
}

interface Payer {
  readonly account: string;
  readonly keyId: string;
  readonly tokenId: string;
  readonly tokenExpiresAt: Date;
}

async function moveMoney({ balances }: AccountStores, payer: Payer): Promise<FullAccount["holds"]> {
  const { account } = payer;
  const post = (amount: bigint, more = {}) =>
    balances.credit({ id: crypto.randomUUID(), account, amount, reason: "x", ...more });
  await post(1_000n);
  await post(200n, { kind: "granted" });
  await post(300n, { kind: "granted", expiresAt: new Date(Date.now() + hourMs) });
  await post(50n, { expiresAt: new Date(Date.now() + 30) });
  await balances.debit({ id: crypto.randomUUID(), account, amount: 10n, reason: "x", from: "paid" });
  await balances.limitSpend(account, limit);
  const make = (more: Partial<HoldRequest> = {}) => heldBy(balances, payer, more);
  const ended = { settled: await make(), released: await make(), ofHost: await make(ofHost) };
  await balances.settle(ended.settled, 40n, chargeReceipt);
  await balances.release(ended.released);
  await balances.settle(ended.ofHost, 7n, undefined);
  const overdue = { expired: await make(brief), late: await make(brief), same: await make(brief) };
  await balances.renew(
    Object.values(overdue).map((hold) => ({ ...hold, used: 5n })),
    1,
  );
  await make(brief);
  await sleep(50);
  await balances.expire();
  await balances.settle(overdue.late, 8n, chargeReceipt);
  await balances.settle(overdue.same, 5n, chargeReceipt);
  const { entries } = await balances.entries({ account, reference: ended.settled.id, limit: 1 });
  await balances.refund({ account, sequence: entries[0]?.sequence ?? 0n, amount: 15n, reason: "poor answer" });
  return { ...ended, ...overdue, pending: await make({ leaseMs: hourMs }) };
}

const brief = { leaseMs: 1 };
const ofHost = { keyId: undefined, receipt: { requestId: "job-1", description: "image", metadata: { size: "large" } } };

async function heldBy(
  balances: BalanceStore,
  { account, keyId, tokenId, tokenExpiresAt }: Payer,
  more: Partial<HoldRequest>,
): Promise<HoldReference> {
  const token = { id: tokenId, limit: 100_000n, expiresAt: tokenExpiresAt };
  const request: HoldRequest = {
    ...plainHold,
    id: crypto.randomUUID(),
    account,
    keyId,
    amount: 60n,
    leaseMs: 60_000,
    allowance: { amount: 25n, window: "month" },
    spend: { key: limit, token },
    notices: { thresholds: [50], lowBalance: 10n },
    ...more,
  };
  expect((await balances.hold(request)).outcome).toBe("held");
  return { id: request.id, account };
}

async function converse({ sessions }: AccountStores, account: string) {
  const ref = { id: crypto.randomUUID(), account };
  await sessions.create({ ...ref, assistantId: "a-1", clientData: { city: "Zürich" }, ttlMs: hourMs });
  const first = crypto.randomUUID();
  await sessions.beginTurn(ref, { turnId: first, leaseMs: 60_000, historyLimit: 10 });
  await sessions.appendLog(ref, logOf(ref, "weather"));
  await sessions.endTurn(ref, { turnId: first, messages: [said("hi\u0001")], images: ["https://a.test/1.png"] });
  const turnId = crypto.randomUUID();
  await sessions.beginTurn(ref, { turnId, leaseMs: hourMs, historyLimit: 10 });
  await sessions.create({ id: crypto.randomUUID(), account, assistantId: "a-1", clientData: {}, ttlMs: 1 });
  return { sessionId: ref.id, turnId };
}

async function storeResponses({ responses }: AccountStores, account: string): Promise<string> {
  const item = (text: string) => ({ id: `item_${crypto.randomUUID()}`, json: JSON.stringify({ text }) });
  const stored = { account, response: '{"n":1.0}', ttlMs: hourMs, maxAccountBytes: 1_000_000 };
  const [first, second] = [`resp_${crypto.randomUUID()}`, `resp_${crypto.randomUUID()}`];
  await responses.save({ ...stored, id: first, input: [item("a")], output: [item("b")] });
  await responses.save({ ...stored, id: second, input: [item("c")], output: [item("d")], previousId: first });
  return second;
}

/** Reads everything of an account that stays the same while nobody uses it. */
export async function readAccount(
  stores: AccountStores,
  full: FullAccount,
): Promise<Readonly<Record<string, unknown>>> {
  const { keys, balances, terms, sessions, responses } = stores;
  const { account, secrets, keyId, sessionId, responseId, tokenId, tokenExpiresAt } = full;
  const session = { id: sessionId, account };
  const bytes = { maxBytes: 1_000_000 };
  return {
    keys: await keys.list({ account, limit: 10 }),
    found: await Promise.all(secrets.map((secret) => keys.find(secret))),
    plans: await keys.accountsWithKeys({ limit: 10, prefix: account }),
    balance: await balances.balance(account),
    account: await balances.findAccount(account),
    entries: await allEntries(balances, account),
    used: await balances.usedBy(keyId),
    spent: await balances.spendOf([
      { scope: "account", id: account, limit },
      { scope: "key", id: keyId, limit },
      { scope: "token", id: tokenId, limit: { limit: 100_000n, window: "total" }, expiresAt: tokenExpiresAt },
    ]),
    terms: await terms.acceptance(account, ["terms-1"]),
    sessions: await sessions.list(account, { limit: 10 }),
    messages: await sessions.messages(session, { limit: 10 }),
    logs: await sessions.logs(session, { limit: 10 }),
    responses: await responses.list({ account, limit: 10 }),
    conversation: await responses.conversation({ id: responseId, account }, bytes),
  };
}

/** Reads all entries of an account, in pages of three. */
export async function allEntries(balances: BalanceStore, account: string): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const page: Awaited<ReturnType<BalanceStore["entries"]>> = await balances.entries({ account, limit: 3, after });
    found.push(...page.entries);
    after = page.next;
  }
  return found;
}

/** Expects that an account does in its store what it did before: each hold ends once, and new ones come after all others. */
export async function expectUsable(stores: AccountStores, full: FullAccount): Promise<void> {
  const { balances, keys, sessions } = stores;
  const { account, holds, keyId, sessionId, turnId } = full;
  const before = await allEntries(balances, account);
  const outcome = async (end: PromiseLike<{ readonly outcome: string }> | { readonly outcome: string }) =>
    (await end).outcome;
  expect(await outcome(balances.settle(holds.settled, 40n, chargeReceipt))).toBe("repeated");
  expect(await outcome(balances.settle(holds.late, 8n, chargeReceipt))).toBe("repeated");
  expect(await outcome(balances.settle(holds.same, 5n, chargeReceipt))).toBe("repeated");
  expect(await outcome(balances.release(holds.released))).toBe("repeated");
  expect(await outcome(balances.settle(holds.released, 1n, chargeReceipt))).toBe("conflict");
  expect(await balances.renew([{ ...holds.pending, used: 3n }], 60_000)).toEqual([holds.pending.id]);
  expect(await outcome(balances.settle(holds.pending, 30n, chargeReceipt))).toBe("ended");
  expect(await outcome(balances.settle(holds.expired, 6n, chargeReceipt))).toBe("late");
  const charge = before.find(({ reference }) => reference === holds.settled.id)?.sequence ?? 0n;
  expect(await outcome(balances.refund({ account, sequence: charge, amount: 15n, reason: "x" }))).toBe("repeated");
  const after = await allEntries(balances, account);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.slice(before.length).map(({ amount }) => amount)).toEqual([-30n, -1n]);
  expect((await keys.revoke(keyId))?.revokedAt).toBeInstanceOf(Date);
  expect(await sessions.endTurn({ id: sessionId, account }, { turnId, messages: [said("bye")], images: [] })).toBe(
    true,
  );
  expect((await sessions.messages({ id: sessionId, account }, { limit: 10 }))?.messages.length).toBe(2);
}

import { Agent } from "node:http";
import type { BalanceStore } from "@tollgate/core/store";
import type { PaymentStore } from "@tollgate/payments";
import { expect } from "vitest";
import { begunPayment, paidEvent, refundEvent } from "../payments/begun-payment.ts";
import type { GatewayChild } from "../soak/gateway/gateway-child.ts";
import { sendCall } from "../soak/load/send-call.ts";
import type { Outcome, SoakCall } from "../soak/load/soak-call.ts";
import { costOf } from "../soak/upstream/planned-answer.ts";

/** The payments of the new version, and its balances. */
export interface PaymentStores {
  readonly payments: PaymentStore;
  readonly balances: BalanceStore;
}

const tokens = { input: 20, output: 90 };
const cost = costOf("chat", tokens);

/** Asks a process with a key, and returns the status. */
async function ask(child: GatewayChild, secret: string): Promise<number | undefined> {
  return (await send(child, secret, { dialect: "chat", stream: false, model: "plain" })).status;
}

async function send({ port }: GatewayChild, secret: string, call: Omit<SoakCall, "plan">, link = 0): Promise<Outcome> {
  const plan = { id: crypto.randomUUID(), tokens, pieces: 1, everyMs: 0, link };
  const { outcome } = await sendCall({ ...call, plan }, { agent: new Agent(), port, secret });
  return outcome;
}

/** A response that one has stored is continued by the other, and then by the first again, with the whole conversation. */
export async function expectOneConversation(a: GatewayChild, b: GatewayChild): Promise<void> {
  const account = `conversing-${a.name}-${b.name}`;
  const { secret } = await a.createKey({ account, plan: "prepaid" });
  await a.credit(account, 100n * cost);
  for (const model of ["gpt", "plain"]) {
    let last: Outcome | undefined;
    for (const [link, child] of [a, b, a].entries()) {
      const continues = last?.stored === undefined ? {} : { continues: last.stored };
      last = await send(child, secret, { dialect: "responses", stream: link === 1, model, ...continues }, link);
      expect(last).toEqual({ kind: "whole", status: 200, stored: expect.any(String) });
    }
  }
}

/** Keys and credits of one process are those of the other one, until it revokes them. */
export async function expectShared(a: GatewayChild, b: GatewayChild): Promise<void> {
  const account = `shared-${a.name}-${b.name}`;
  const { id, secret } = await a.createKey({ account, plan: "prepaid" });
  expect(await ask(b, secret), "without a balance").toBe(402);
  await a.credit(account, 1_000_000n);
  expect(await ask(b, secret), "with a credit").toBe(200);
  expect(await ask(a, secret), "with a credit").toBe(200);
  await b.revokeKey(id);
  expect(await ask(a, secret), "revoked by the other").toBe(401);
  expect(await ask(b, secret), "revoked").toBe(401);
}

/** What a customer buys in the new version is spent in the old one, and a refund in the new one sees what is left. */
export async function expectPaymentsBesides(old: GatewayChild, stores: PaymentStores): Promise<void> {
  const { payments, balances } = stores;
  const rules = { refundsBelowZero: false };
  const account = `paying-${old.name}`;
  const { secret } = await old.createKey({ account, plan: "prepaid" });
  expect(await ask(old, secret), "before it has paid").toBe(402);
  const payment = await begunPayment(payments, account, 10n * cost);
  expect((await payments.apply(paidEvent(payment), rules)).outcome).toBe("applied");
  const bought = (await balances.balance(account)).posted;
  expect(await ask(old, secret), "with what it has bought").toBe(200);
  const left = bought - cost;
  await expect.poll(async () => (await balances.balance(account)).posted).toBe(left);
  expect((await payments.apply(refundEvent(payment), rules)).outcome).toBe("applied");
  expect((await balances.balance(account)).posted).toBe(0n);
}

/** Both count the requests of a key in the same window. */
export async function expectOneLimit(a: GatewayChild, b: GatewayChild): Promise<void> {
  const account = `limited-${a.name}-${b.name}`;
  const limits = { requests: { limit: 4, windowSeconds: 3_600 } };
  const { secret } = await a.createKey({ account, plan: "prepaid", limits });
  await b.credit(account, 10_000_000n);
  const asked = [a, b, a, b, a, b];
  const statuses: unknown[] = [];
  for (const child of asked) statuses.push(await ask(child, secret));
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
}

/** Both charge the same spend limit, and one of them reports the notice of its use. */
export async function expectOneSpendLimit(a: GatewayChild, b: GatewayChild): Promise<void> {
  const account = `spending-${a.name}-${b.name}`;
  const spend = { limit: 5n * cost, window: "total" } as const;
  const { secret } = await a.createKey({ account, plan: "prepaid", spend });
  await b.credit(account, 100n * cost);
  const spent: GatewayChild[] = [];
  for (let turn = 0; ; turn++) {
    const child = turn % 2 === 0 ? a : b;
    const status = await ask(child, secret);
    if (status === 402) break;
    expect(status).toBe(200);
    spent.push(child);
    expect(spent.length).toBeLessThanOrEqual(5);
  }
  expect(new Set(spent).size, "processes that spent").toBe(2);
  expect([await ask(a, secret), await ask(b, secret)]).toEqual([402, 402]);
}

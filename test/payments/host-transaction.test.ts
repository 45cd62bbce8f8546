import { sqliteStores } from "@tollgate/sqlite";
import { sqlitePaymentStore } from "@tollgate/sqlite/payments";
import { expect, it } from "vitest";
import { temporaryDatabase } from "../sqlite/temporary-database.ts";
import { begunPayment, paidEvent } from "./begun-payment.ts";

const rules = { refundsBelowZero: true };

it("an event in SQLite waits for the transaction of the host, and for that of another process", async () => {
  const { connect } = temporaryDatabase();
  const [own, other] = [connect(), connect()];
  const { balances } = sqliteStores(own);
  const payments = sqlitePaymentStore(own, { balances });
  const first = await begunPayment(payments, "first");
  const second = await begunPayment(payments, "second");

  own.exec("BEGIN IMMEDIATE");
  let ended = 0;
  const calls = [payments.apply(paidEvent(first), rules), payments.find({ id: first.id })];
  for (const call of calls) Promise.resolve(call).then(() => ended++);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(ended).toBe(0);
  own.exec("ROLLBACK");
  expect(await calls[0]).toMatchObject({ outcome: "applied" });

  other.exec("BEGIN IMMEDIATE");
  const blocked = payments.apply(paidEvent(second), rules);
  await new Promise((resolve) => setTimeout(resolve, 30));
  other.exec("COMMIT");
  expect((await blocked).outcome).toBe("applied");
  expect((await balances.balance(first.account)).posted).toBe(1_100n);
  expect((await balances.balance(second.account)).posted).toBe(1_100n);
  expect(await balances.verify()).toEqual([]);
});

it("an event in SQLite that cannot be posted changes nothing, and the others of its commit are applied", async () => {
  const database = temporaryDatabase().connect();
  const { balances } = sqliteStores(database);
  const payments = sqlitePaymentStore(database, { balances });
  const [full, usual] = [await begunPayment(payments, "full"), await begunPayment(payments, "usual")];
  await balances.credit({ id: "most", account: full.account, amount: 2n ** 63n - 1n, reason: "test" });
  const results = await Promise.allSettled([full, usual].map((payment) => payments.apply(paidEvent(payment), rules)));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect((await payments.find({ id: full.id }))?.state).toBe("pending");
  expect((await balances.balance(usual.account)).posted).toBe(1_100n);
  expect(await balances.verify()).toEqual([]);
});

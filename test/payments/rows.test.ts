import { DatabaseSync } from "@photostructure/sqlite";
import type { WaitingEvent } from "@tollgate/payments";
import { paymentColumns, readPayment, readTopUp, topUpColumns } from "@tollgate/payments/store";
import { migratePostgres, postgresBalanceStore } from "@tollgate/postgres";
import { postgresPaymentStore } from "@tollgate/postgres/payments";
import { sqliteBalanceStore } from "@tollgate/sqlite";
import { sqlitePaymentStore } from "@tollgate/sqlite/payments";
import fc from "fast-check";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Database } from "../../packages/postgres/src/database.ts";
import { valuesOf } from "../../packages/postgres/src/payments/columns.ts";
import {
  findPaymentStatement,
  writePaymentStatement,
} from "../../packages/postgres/src/payments/payment-statements.ts";
import { findTopUpStatement, writeTopUpStatement } from "../../packages/postgres/src/payments/top-up-statements.ts";
import { Connection } from "../../packages/sqlite/src/connection.ts";
import { PaymentRows } from "../../packages/sqlite/src/payments/payment-rows.ts";
import { TopUps } from "../../packages/sqlite/src/payments/top-ups.ts";
import { anyEvent, anyPayment, anyTopUp } from "../support/any-payment.ts";

const rules = { refundsBelowZero: true };
const runs = { numRuns: 150 };

describe("a row in SQLite", () => {
  const database = new DatabaseSync(":memory:");
  const connection = new Connection(database);
  const [payments, topUps] = [new PaymentRows(connection), new TopUps(connection)];
  const store = sqlitePaymentStore(database, { balances: sqliteBalanceStore(database) });

  it("has every member of a payment and of a top-up", () => {
    fc.assert(
      fc.property(anyPayment, anyTopUp, (payment, topUp) => {
        payments.write(payment);
        topUps.set(topUp);
        expect(payments.find(payment.id)).toEqual(payment);
        expect(topUps.find(topUp.account)).toEqual(topUp);
      }),
      runs,
    );
  });

  it("has every member of an event that waits", async () => {
    await fc.assert(
      fc.asyncProperty(anyEvent, async (event) => {
        const { outcome } = await store.apply(event, rules);
        fc.pre(outcome === "waiting");
        expect(eventsOf(await store.waitingEvents({ limit: 10_000 }))).toContainEqual(event);
      }),
      runs,
    );
  });
});

const url = inject("postgres");

describe.skipIf(url === undefined)("a row in PostgreSQL", () => {
  const schema = `payment_rows_${crypto.randomUUID().slice(0, 8)}`;
  const pool = new Pool({ connectionString: url, max: 1, options: "-c synchronous_commit=off" });
  const database = new Database(pool, schema);
  const store = postgresPaymentStore(pool, { schema, balances: postgresBalanceStore(pool, { schema }) });
  beforeAll(() => migratePostgres(pool, { schema }));
  afterAll(async () => {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
  });

  it("has every member of a payment and of a top-up", async () => {
    await fc.assert(
      fc.asyncProperty(anyPayment, anyTopUp, async (payment, topUp) => {
        await database.run(writePaymentStatement, valuesOf(paymentColumns, payment));
        await database.run(writeTopUpStatement, valuesOf(topUpColumns, topUp));
        expect(readPayment(await database.runForOne(findPaymentStatement, [payment.id]))).toEqual(payment);
        expect(readTopUp(await database.runForOne(findTopUpStatement, [topUp.account]))).toEqual(topUp);
      }),
      runs,
    );
  });

  it("has every member of an event that waits", async () => {
    await fc.assert(
      fc.asyncProperty(anyEvent, async (event) => {
        const { outcome } = await store.apply(event, rules);
        fc.pre(outcome === "waiting");
        expect(eventsOf(await store.waitingEvents({ limit: 10_000 }))).toContainEqual(event);
      }),
      runs,
    );
  });
});

const eventsOf = (waiting: readonly WaitingEvent[]) => waiting.map(({ event }) => event);

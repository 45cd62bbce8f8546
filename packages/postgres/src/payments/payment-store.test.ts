import { type PaymentStores, paymentStoreContract } from "@tollgate/contract";
import { describe, expect, it } from "vitest";
import { describeWithPostgres } from "../../test-support/with-postgres.ts";
import { type PostgresPool, postgresBalanceStore } from "../index.ts";
import { postgresPaymentStore } from "../payments.ts";

const test = { describe, it };

describeWithPostgres("on a pool of one connection, and a pool with the strictest isolation", ({ schema, pool }) => {
  // With a single connection, a call that needs a second one while it has the first never ends.
  const single = pool({ max: 1 });
  const strict = pool({ options: "-c synchronous_commit=off -c default_transaction_isolation=serializable" });
  paymentStoreContract({
    test,
    create: () => ({ store: openStores(single, schema), peer: openStores(strict, schema) }),
  });
});

describeWithPostgres("postgresPaymentStore", ({ schema, pool }) => {
  const server = pool({ max: 1 });

  it("refuses balances of another schema", () => {
    const elsewhere = postgresBalanceStore(server, { schema: "elsewhere" });
    expect(() => postgresPaymentStore(server, { schema, balances: elsewhere })).toThrow(
      /balances in the schema "elsewhere".* Pass the `balances` of postgresStores for the same database and schema/,
    );
  });

  it("refuses options that it does not know, and balances that cannot join a transaction", () => {
    const balances = postgresBalanceStore(server, { schema });
    const options = { schema, balances, migrate: true };
    expect(() => postgresPaymentStore(server, options)).toThrow(/postgresPaymentStore: `migrate`/);
    expect(() => postgresPaymentStore(server, Object.assign({ balances }, { balances: {} }))).toThrow(
      /`balances` of postgresPaymentStore got a value without inTransaction/,
    );
  });
});

function openStores(pool: PostgresPool, schema: string): PaymentStores {
  const balances = postgresBalanceStore(pool, { schema });
  return { balances, payments: postgresPaymentStore(pool, { balances, schema }) };
}

import { requireMethods } from "@tollgate/core/internal";

/** The member of balances that is the schema of their tables. */
export const ledgerSchema: unique symbol = Symbol.for("tollgate.postgres-ledger-schema");

/** Throws a TypeError unless the balances are in the schema. */
export function requireLedgerSchema(factory: string, balances: object, schema: string): void {
  const advice = "Pass the `balances` of postgresStores for the same database and schema.";
  requireMethods(`The option \`balances\` of ${factory}`, balances, ["inTransaction"], advice);
  const used: unknown = Reflect.get(balances, ledgerSchema);
  if (used === undefined || used === schema) return;
  throw new TypeError(
    `${factory} got balances in the schema "${used}", and the payments are in "${schema}". ${advice}`,
  );
}

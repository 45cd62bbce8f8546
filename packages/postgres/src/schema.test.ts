import { describe, expect, it } from "vitest";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { migratePostgres, postgresBalanceStore } from "./index.ts";

describeWithPostgres("a schema that was never migrated", ({ pool }) => {
  it("is named in the error", async () => {
    const store = postgresBalanceStore(pool(), { schema: "test_nowhere" });
    await expect(store.balance("a")).rejects.toThrow('The schema "test_nowhere" has no Tollgate tables');
  });
});

describe("the name of a schema", () => {
  const unusedPool = {
    query: () => Promise.reject(new Error("The pool must not be used.")),
    connect: () => Promise.reject(new Error("The pool must not be used.")),
  };

  it("must be a plain identifier", async () => {
    for (const schema of ["", "1a", 'a"b', "a.b", "a b", "a;b", "ä", "a".repeat(49)]) {
      expect(() => postgresBalanceStore(unusedPool, { schema })).toThrow(RangeError);
      await expect(migratePostgres(unusedPool, { schema })).rejects.toThrow(RangeError);
    }
  });

  it("keeps its case and can be an SQL keyword", async () => {
    expect(() => postgresBalanceStore(unusedPool, { schema: "Select" })).not.toThrow();
  });
});

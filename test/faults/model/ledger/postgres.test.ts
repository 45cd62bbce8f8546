import { it } from "vitest";
import { describeWithPostgres } from "../../../../packages/postgres/test-support/with-postgres.ts";
import { form } from "../../form.ts";
import { holdToModel } from "./ledger-property.ts";
import { postgresLedgers } from "./postgres-ledgers.ts";

describeWithPostgres("a ledger in PostgreSQL", (database) => {
  it("agrees with the model after every command, and keeps its promises", async () => {
    await holdToModel("Model of the ledger in PostgreSQL", postgresLedgers(database), form === "long" ? 2_000 : 200);
  }, 1_200_000);
});

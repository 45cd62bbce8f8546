import { it } from "vitest";
import { describeWithPostgres } from "../../../../packages/postgres/test-support/with-postgres.ts";
import { form } from "../../form.ts";
import { checkAgainstModel } from "./ledger-property.ts";
import { postgresLedgers } from "./postgres-ledgers.ts";

describeWithPostgres("a ledger in PostgreSQL", (database) => {
  it("matches the model and the invariants after every step", async () => {
    await checkAgainstModel(
      "Model of the ledger in PostgreSQL",
      postgresLedgers(database),
      form === "long" ? 2_000 : 60,
    );
  }, 1_200_000);
});

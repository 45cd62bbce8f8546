import { storeContracts } from "../test-support/store-contracts.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";

/** With a single connection, a statement that waits for another one never ends. With FAULTS=long, also with ten. */
const sizes = process.env["FAULTS"] === "long" ? [10, 1] : [1];

for (const max of sizes) {
  describeWithPostgres(`on pools of at most ${max} connections`, ({ schema, pool }) => {
    const pools = [pool({ max }), pool({ max })] as const;
    storeContracts(schema, () => pools);
  });
}

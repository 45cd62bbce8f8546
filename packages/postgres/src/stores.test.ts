import { storeContracts } from "../test-support/store-contracts.ts";
import { describeWithPostgres } from "../test-support/with-postgres.ts";

for (const max of [10, 1]) {
  describeWithPostgres(`on pools of at most ${max} connections`, ({ schema, pool }) => {
    const pools = [pool({ max }), pool({ max })] as const;
    storeContracts(schema, () => pools);
  });
}

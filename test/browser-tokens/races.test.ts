import { memoryBalanceStore, memoryKeyStore } from "@tollgate/core";
import { postgresStores } from "@tollgate/postgres";
import { sqliteStores } from "@tollgate/sqlite";
import { describe } from "vitest";
import { describeWithPostgres } from "../../packages/postgres/test-support/with-postgres.ts";
import { temporaryDatabase } from "../sqlite/temporary-database.ts";
import { testRaces } from "./races.ts";

describe("tokens on memory stores", () => {
  testRaces(async () => {
    const keys = memoryKeyStore();
    return { stores: { keys, balances: memoryBalanceStore() }, elsewhere: keys };
  });
});

describe("tokens on SQLite", () => {
  testRaces(async () => {
    const { connect } = temporaryDatabase();
    return { stores: sqliteStores(connect()), elsewhere: sqliteStores(connect()).keys };
  });
});

describeWithPostgres("tokens on PostgreSQL", ({ schema, pool }) => {
  const [own, other] = [pool(), pool()];
  testRaces(async () => {
    const elsewhere = await postgresStores(other, { schema });
    return { stores: await postgresStores(own, { schema }), elsewhere: elsewhere.keys };
  });
});

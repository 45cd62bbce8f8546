import { expect, it } from "vitest";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { type Statement, tablesIn } from "./schema.ts";
import { batchStatement } from "./statements/batch.ts";
import { endHoldStatement } from "./statements/end-hold.ts";
import { endHoldsStatement } from "./statements/end-holds.ts";
import { forgetChargesStatement } from "./statements/forgetting.ts";
import { existingHoldsStatement, holdStatement } from "./statements/hold.ts";
import { expireStatement, renewStatement } from "./statements/lease.ts";
import { renewLimitsStatement } from "./statements/limits.ts";
import { packedEndsStatement, packedHoldsStatement } from "./statements/packs.ts";
import { conversationStatement } from "./statements/responses.ts";

const checks = { key: true, terms: true };
const statements: Readonly<Record<string, Statement>> = {
  hold: holdStatement(checks),
  "packed holds": packedHoldsStatement(checks),
  end: endHoldStatement(false),
  "end with spend limits": endHoldStatement(true),
  ends: endHoldsStatement(false),
  "ends with spend limits": endHoldsStatement(true),
  "packed ends": packedEndsStatement,
  batch: batchStatement(checks, false),
  "batch with spend limits": batchStatement(checks, true),
  "existing holds": existingHoldsStatement,
  renewal: renewStatement,
  expiry: expireStatement,
  forget: forgetChargesStatement,
  conversation: conversationStatement,
  "renewal of limits": renewLimitsStatement,
};

describeWithPostgres(
  "the plan of a statement that a connection keeps from when its tables were empty",
  ({ schema, pool }) => {
    const server = pool();
    const tables = tablesIn(schema);

    for (const [name, statement] of Object.entries(statements)) {
      it(`scans no table: ${name}`, async () => {
        const client = await server.connect();
        try {
          await client.query("SET plan_cache_mode = force_generic_plan");
          const text = statement(tables);
          const count = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, digits]) => Number(digits)));
          await client.query(`PREPARE planned AS ${text}`);
          const values = Array.from({ length: count }, () => "NULL").join(", ");
          const { rows } = await client.query(`EXPLAIN EXECUTE planned(${values})`);
          const plan = rows.map((row) => Object.values(row)[0]).join("\n");
          const scans = [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([scan]) => scan);
          expect(scans).toEqual([]);
        } finally {
          // Without the connection, its setting and its plan are gone.
          client.release(true);
        }
      });
    }
  },
);

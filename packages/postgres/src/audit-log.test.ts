import { expect, it } from "vitest";
import { describeWithPostgres } from "../test-support/with-postgres.ts";
import { postgresAuditLog } from "./audit-log.ts";
import { tablesIn } from "./schema.ts";
import { appendAuditStatement } from "./statements/audit.ts";

const change = { actor: "ann", action: "key.revoke", subject: "key:1" };

describeWithPostgres("the audit log", ({ schema, pool }) => {
  const server = pool();
  const text = appendAuditStatement(tablesIn(schema));
  const valuesOf = (call: string) => [call, change.actor, change.action, change.subject, null, null];

  it("gives no sequence to an entry while an earlier one is not committed", async () => {
    const log = postgresAuditLog(server, { schema });
    const other = await server.connect();
    try {
      await other.query("BEGIN");
      const [first] = (await other.query(text, valuesOf("first"))).rows;
      let isAppended = false;
      const later = (async () => {
        const entry = await log.append(change);
        isAppended = true;
        return entry;
      })();
      const isWaiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND query LIKE $1`;
      await expect.poll(async () => (await server.query(isWaiting, [`%"${schema}".audit%`])).rows.length).toBe(1);
      expect([isAppended, (await log.list({ limit: 10 })).entries]).toEqual([false, []]);
      await other.query("COMMIT");
      const { sequence } = await later;
      expect(sequence).toBeGreaterThan(BigInt(first.sequence));
      const { entries } = await log.list({ limit: 10 });
      expect(entries.map((entry) => String(entry.sequence))).toEqual([String(sequence), first.sequence]);
    } finally {
      other.release();
    }
  });

  it("appends a change once when its statement is repeated", async () => {
    const [made, repeated] = [await server.query(text, valuesOf("again")), await server.query(text, valuesOf("again"))];
    expect(repeated.rows).toEqual(made.rows);
  });
});

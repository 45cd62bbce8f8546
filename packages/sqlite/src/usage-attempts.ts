import {
  type AttemptCount,
  attemptCounts,
  groupAttempts,
  startOfBucket,
  type TargetAttempts,
  toStorableText,
  type UsageRow,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Command, Query } from "./statement.ts";

/** The rows of tollgate_usage_attempt: attempts by hour, target and failure. */
export class UsageAttemptRows {
  readonly #add: Command;
  readonly #between: Query<AttemptCount>;

  constructor(connection: Connection) {
    this.#add = connection.command(
      `INSERT INTO tollgate_usage_attempt (start, provider, upstream_model, failure, attempts) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET attempts = attempts + excluded.attempts`,
    );
    this.#between = connection.query(
      `SELECT provider, upstream_model, failure, sum(attempts) AS attempts FROM tollgate_usage_attempt
       WHERE start >= ? AND start < ? GROUP BY 1, 2, 3`,
      (row) => ({
        provider: row.text("provider"),
        upstreamModel: row.text("upstream_model"),
        failure: row.text("failure"),
        attempts: Number(row.integer("attempts")),
      }),
    );
  }

  /** Counts the attempts of new rows. */
  add(rows: readonly UsageRow[]): void {
    for (const row of rows) {
      const hour = startOfBucket("hour", row.at.getTime());
      for (const { provider, upstreamModel, failure, attempts } of attemptCounts(row)) {
        this.#add.run(hour, toStorableText(provider), toStorableText(upstreamModel), failure, attempts);
      }
    }
  }

  between(from: Date, to: Date): readonly TargetAttempts[] {
    return groupAttempts(this.#between.all(startOfBucket("hour", from.getTime()), to));
  }
}

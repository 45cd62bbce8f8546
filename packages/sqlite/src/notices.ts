import { spendWindows } from "@tollgate/core/internal";
import {
  type Balance,
  type HoldRequest,
  type Notice,
  readNotice,
  type SpendLimit,
  type SpendQuery,
  spendWindowAt,
  type WaitingNotices,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Row } from "./row.ts";
import type { CountedIn } from "./spend.ts";
import type { Command, Query } from "./statement.ts";

interface StoredRules {
  readonly thresholds: readonly number[];
  readonly limits: readonly (readonly [SpendQuery["scope"], limit: string, timezone: string | null])[];
}

/** Converts the rules of a hold, and the limits that apply to it, to JSON for its row. Undefined: it has none. */
export function toStoredRules(rules: HoldRequest["notices"], limits: readonly SpendQuery[]): string | undefined {
  if (rules === undefined) return undefined;
  const stored: StoredRules = {
    thresholds: rules.thresholds,
    limits: limits.map(({ scope, limit }) => [scope, String(limit.limit), limit.timezone ?? null]),
  };
  return JSON.stringify(stored);
}

/** A hold whose charge may be noticed. */
export interface ChargedHold {
  readonly account: string;
  readonly keyId: string;
  readonly rules: string | undefined;
  readonly countedIn: CountedIn;
}

interface Counter {
  readonly period: SpendLimit["window"];
  readonly charged: bigint;
  readonly noticed: readonly number[];
  readonly resetsAt: number | undefined;
}

// What is posted stands in a column with the name that older versions, which may share the file, write to.
const names =
  "id, account, type, at, scope, key_id, threshold, spend_limit, period, timezone, spent, resets_at, available, below";

/** The rows of tollgate_notice, which charges, credits and debits write in their own transactions. */
export class Notices {
  readonly #add: Command;
  readonly #counter: Query<Counter>;
  readonly #setNoticed: Command;
  readonly #low: Query<bigint>;
  readonly #setLow: Command;
  readonly #setLowBalance: Command;
  readonly #claim: Query<Notice>;
  readonly #due: Query<bigint>;
  readonly #postpone: Command;
  readonly #finish: Command;
  readonly #waiting: Query<WaitingNotices>;

  constructor(connection: Connection) {
    this.#add = connection.command(
      `INSERT INTO tollgate_notice (${names}, due_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    );
    this.#counter = connection.query(
      "SELECT period, timezone, charged, noticed, starts_at FROM tollgate_spend WHERE id = ?",
      toCounter,
    );
    this.#setNoticed = connection.command("UPDATE tollgate_spend SET noticed = ?2 WHERE id = ?1");
    this.#low = connection.query(
      `SELECT low_balance FROM tollgate_account
        WHERE id = ? AND low_balance IS NOT NULL AND (posted < low_balance) <> (low_below IS NOT NULL)`,
      (row) => row.integer("low_balance"),
    );
    this.#setLow = connection.command("UPDATE tollgate_account SET low_below = ?2 WHERE id = ?1");
    this.#setLowBalance = connection.command(
      "UPDATE tollgate_account SET low_balance = ?2 WHERE id = ?1 AND low_balance IS NOT ?2",
    );
    this.#due = connection.query(
      "SELECT sequence FROM tollgate_notice WHERE due_at <= ? ORDER BY sequence LIMIT ?",
      (row) => row.integer("sequence"),
    );
    this.#claim = connection.query(
      `UPDATE tollgate_notice SET due_at = ?2, attempts = attempts + 1 WHERE sequence = ?1
       RETURNING ${names}, available AS posted, attempts - 1 AS attempts, delivered`,
      toNotice,
    );
    this.#postpone = connection.command("UPDATE tollgate_notice SET due_at = ?2, delivered = ?3 WHERE id = ?1");
    this.#waiting = connection.query("SELECT count(*) AS count, min(at) AS oldest_at FROM tollgate_notice", (row) => {
      const oldestAt = row.optionalTime("oldest_at");
      return { count: Number(row.integer("count")), ...(oldestAt === undefined ? {} : { oldestAt }) };
    });
    this.#finish = connection.command("DELETE FROM tollgate_notice WHERE id = ?");
  }

  /** Keeps the amount of a low balance that the last hold of an account has, for what is posted after it. */
  keepLowBalance(account: string, rules: HoldRequest["notices"]): void {
    if (rules !== undefined) this.#setLowBalance.run(account, rules.lowBalance);
  }

  /** Writes the notices of thresholds that the charge of a hold has reached. */
  afterCharge(hold: ChargedHold): void {
    if (hold.rules === undefined) return;
    const { thresholds, limits }: StoredRules = JSON.parse(hold.rules);
    for (const [scope, limit, timezone] of limits) {
      const row = scope === "account" ? hold.countedIn.accountSpend : hold.countedIn.keySpend;
      const counter = row === undefined ? undefined : this.#counter.first(row);
      if (counter === undefined) continue;
      const { period, charged, noticed, resetsAt } = counter;
      const reached = thresholds.filter(
        (step) => !noticed.includes(step) && charged * 100n >= BigInt(step) * BigInt(limit),
      );
      if (reached.length > 0) this.#setNoticed.run(row, JSON.stringify([...noticed, ...reached]));
      const keyId = scope === "key" ? hold.keyId : undefined;
      for (const step of reached) {
        const reach = [scope, keyId, step, BigInt(limit), period, timezone ?? undefined, charged, resetsAt] as const;
        this.#add.run(crypto.randomUUID(), hold.account, "spend.threshold", Date.now(), ...reach, undefined, undefined);
      }
    }
  }

  /** Writes the notice of a low balance if what is posted has fallen below the amount, once until it is there again. */
  afterPosting(account: string, { posted }: Balance): void {
    const below = this.#low.first(account);
    if (below === undefined) return;
    const isLow = posted < below;
    this.#setLow.run(account, isLow ? below : undefined);
    if (!isLow) return;
    const absent = Array.from({ length: 8 }, () => undefined);
    this.#add.run(crypto.randomUUID(), account, "balance.low", Date.now(), ...absent, posted, below);
  }

  claim(limit: number, leaseMs: number): readonly Notice[] {
    const now = Date.now();
    return this.#due.all(now, limit).flatMap((sequence) => this.#claim.all(sequence, now + leaseMs));
  }

  postpone(id: string, delayMs: number, delivered: readonly string[]): void {
    this.#postpone.run(id, Date.now() + delayMs, JSON.stringify(delivered));
  }

  finish(id: string): void {
    this.#finish.run(id);
  }

  waiting(): WaitingNotices {
    return this.#waiting.first() ?? { count: 0 };
  }
}

function toCounter(row: Row): Counter {
  const period = row.oneOf("period", spendWindows);
  const noticed: readonly number[] = JSON.parse(row.text("noticed"));
  const startsAt = Number(row.integer("starts_at"));
  const { resetsAt } = spendWindowAt({ window: period, timezone: row.text("timezone") }, startsAt);
  return { period, charged: row.integer("charged"), noticed, resetsAt };
}

const toNotice = (row: Row): Notice =>
  readNotice(row, { account: row.text("account"), at: row.time("at"), resetsAt: row.optionalTime("resets_at") });

import type { HoldRequest, Notice, SpendLimit, SpendQuery, WaitingNotices } from "@tollgate/core/store";
import { readNotice, spendWindowAt } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Row } from "./row.ts";
import type { CountedIn } from "./spend.ts";
import type { Command, Query } from "./statement.ts";

interface StoredRules {
  readonly thresholds: readonly number[];
  readonly lowBalance: string | undefined;
  readonly limits: readonly (readonly [SpendQuery["scope"], limit: string, timezone: string | null])[];
}

/** Converts the rules of a hold, and the limits that apply to it, to JSON for its row. Undefined: it has none. */
export function toStoredRules(rules: HoldRequest["notices"], limits: readonly SpendQuery[]): string | undefined {
  if (rules === undefined) return undefined;
  const stored: StoredRules = {
    thresholds: rules.thresholds,
    lowBalance: rules.lowBalance?.toString(),
    limits: limits.map(({ scope, limit }) => [scope, String(limit.limit), limit.timezone ?? null]),
  };
  return JSON.stringify(stored);
}

/** A hold whose placement or charge may be noticed. */
export interface NoticedHold {
  readonly account: string;
  readonly keyId: string;
  readonly rules: string | undefined;
  readonly countedIn: CountedIn;
}

interface Counter {
  readonly period: SpendLimit["window"];
  readonly spent: bigint;
  readonly noticed: readonly number[];
  readonly resetsAt: number | undefined;
}

const names =
  "id, account, type, at, scope, key_id, threshold, spend_limit, period, timezone, spent, resets_at, available, below";

/** The rows of tollgate_notice, which holds and settlements write in their own transactions. */
export class Notices {
  readonly #add: Command;
  readonly #counter: Query<Counter>;
  readonly #setNoticed: Command;
  readonly #low: Query<{ readonly available: bigint; readonly lowBelow: bigint | undefined }>;
  readonly #setLow: Command;
  readonly #clearLow: Command;
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
      "SELECT period, timezone, spent, noticed, starts_at FROM tollgate_spend WHERE id = ?",
      toCounter,
    );
    this.#setNoticed = connection.command("UPDATE tollgate_spend SET noticed = ?2 WHERE id = ?1");
    this.#low = connection.query("SELECT posted, held, low_below FROM tollgate_account WHERE id = ?", (row) => ({
      available: row.integer("posted") - row.integer("held"),
      lowBelow: row.optionalInteger("low_below"),
    }));
    this.#setLow = connection.command("UPDATE tollgate_account SET low_below = ?2 WHERE id = ?1");
    this.#clearLow = connection.command(
      "UPDATE tollgate_account SET low_below = NULL WHERE id = ? AND posted - held >= low_below",
    );
    this.#due = connection.query(
      "SELECT sequence FROM tollgate_notice WHERE due_at <= ? ORDER BY sequence LIMIT ?",
      (row) => row.integer("sequence"),
    );
    this.#claim = connection.query(
      `UPDATE tollgate_notice SET due_at = ?2, attempts = attempts + 1 WHERE sequence = ?1
       RETURNING ${names}, attempts - 1 AS attempts, delivered`,
      toNotice,
    );
    this.#postpone = connection.command("UPDATE tollgate_notice SET due_at = ?2, delivered = ?3 WHERE id = ?1");
    this.#waiting = connection.query("SELECT count(*) AS count, min(at) AS oldest_at FROM tollgate_notice", (row) => {
      const oldestAt = row.optionalTime("oldest_at");
      return { count: Number(row.integer("count")), ...(oldestAt === undefined ? {} : { oldestAt }) };
    });
    this.#finish = connection.command("DELETE FROM tollgate_notice WHERE id = ?");
  }

  /** Writes the notices for the present state of the account and counters of a hold. */
  write(hold: NoticedHold): void {
    if (hold.rules === undefined) return;
    const { thresholds, lowBalance, limits }: StoredRules = JSON.parse(hold.rules);
    for (const [scope, limit, timezone] of limits) {
      const row = scope === "account" ? hold.countedIn.accountSpend : hold.countedIn.keySpend;
      const counter = row === undefined ? undefined : this.#counter.first(row);
      if (counter === undefined) continue;
      const { period, spent, noticed, resetsAt } = counter;
      const reached = thresholds.filter(
        (step) => !noticed.includes(step) && spent * 100n >= BigInt(step) * BigInt(limit),
      );
      if (reached.length > 0) this.#setNoticed.run(row, JSON.stringify([...noticed, ...reached]));
      const keyId = scope === "key" ? hold.keyId : undefined;
      for (const step of reached) {
        const reach = [scope, keyId, step, BigInt(limit), period, timezone ?? undefined, spent, resetsAt] as const;
        this.#add.run(crypto.randomUUID(), hold.account, "spend.threshold", Date.now(), ...reach, undefined, undefined);
      }
    }
    if (lowBalance !== undefined) this.#writeLow(hold.account, BigInt(lowBalance));
  }

  /** Allows the next notice of a low balance if a credit has reached the amount of the last. */
  afterCredit(account: string): void {
    this.#clearLow.run(account);
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

  #writeLow(account: string, below: bigint): void {
    const state = this.#low.first(account);
    if (state === undefined || state.lowBelow !== undefined || state.available >= below) return;
    this.#setLow.run(account, below);
    const absent = Array.from({ length: 8 }, () => undefined);
    this.#add.run(crypto.randomUUID(), account, "balance.low", Date.now(), ...absent, state.available, below);
  }
}

function toCounter(row: Row): Counter {
  const period = row.oneOf("period", ["day", "week", "month", "total"]);
  const noticed: readonly number[] = JSON.parse(row.text("noticed"));
  const startsAt = Number(row.integer("starts_at"));
  const { resetsAt } = spendWindowAt({ window: period, timezone: row.text("timezone") }, startsAt);
  return { period, spent: row.integer("spent"), noticed, resetsAt };
}

const toNotice = (row: Row): Notice =>
  readNotice(row, { account: row.text("account"), at: row.time("at"), resetsAt: row.optionalTime("resets_at") });

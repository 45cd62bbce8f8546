import { spendWindows } from "@tollgate/core/internal";
import {
  type AccountNotice,
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
import { Outbox } from "./outbox.ts";
import type { Parameter } from "./parameters.ts";
import type { Row } from "./row.ts";
import type { CountedIn } from "./spend.ts";
import type { Command, Query } from "./statement.ts";

interface StoredRules {
  readonly thresholds: readonly number[];
  /** Holds of older versions have no models. */
  readonly limits: readonly (readonly [
    scope: SpendQuery["scope"],
    limit: string,
    timezone: string | null,
    models?: readonly string[] | null,
  ])[];
}

/** Converts the rules of a hold, and the limits that apply to it, to JSON for its row. Undefined: it has none. */
export function toStoredRules(rules: HoldRequest["notices"], limits: readonly SpendQuery[]): string | undefined {
  if (rules === undefined) return undefined;
  const stored: StoredRules = {
    thresholds: rules.thresholds,
    limits: limits.map(({ scope, limit }) => [
      scope,
      String(limit.limit),
      limit.timezone ?? null,
      limit.models ?? null,
    ]),
  };
  return JSON.stringify(stored);
}

/** A hold whose charge may be noticed. */
export interface ChargedHold {
  readonly account: string;
  readonly keyId: string | undefined;
  readonly rules: string | undefined;
  readonly countedIn: CountedIn;
}

interface Counter {
  readonly period: SpendLimit["window"];
  readonly charged: bigint;
  readonly noticed: readonly number[];
  readonly resetsAt: number | undefined;
}

/**
 * The columns that only some notices have. What is posted stands in `available`, the name that older versions, which may share
 * the file, write to.
 */
const optionalColumns = [
  ...["scope", "key_id", "threshold", "spend_limit", "spend_models", "period", "timezone", "spent", "resets_at"],
  ...["available", "below", "amount", "money_kind", "reason", "expires_at", "charge"],
];

const columns = ["id", "account", "type", "at", ...optionalColumns].join(", ");

/** The rows of tollgate_notice, each written in the transaction of what it tells of. */
export class Notices {
  readonly #outbox: Outbox;
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
    this.#outbox = new Outbox(connection);
    this.#add = connection.command(
      `INSERT INTO tollgate_notice (due_at, ${columns}) VALUES (0, ?, ?, ?, ?${", ?".repeat(optionalColumns.length)})`,
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
       RETURNING ${columns}, available AS posted, attempts - 1 AS attempts, delivered`,
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
    for (const [scope, limit, timezone, models] of limits) {
      const row = scope === "account" ? hold.countedIn.accountSpend : hold.countedIn.keySpend;
      const counter = row === undefined ? undefined : this.#counter.first(row);
      if (counter === undefined) continue;
      const { period, charged, noticed, resetsAt } = counter;
      const reached = thresholds.filter(
        (step) => !noticed.includes(step) && charged * 100n >= BigInt(step) * BigInt(limit),
      );
      if (reached.length > 0) this.#setNoticed.run(row, JSON.stringify([...noticed, ...reached]));
      const keyId = scope === "key" ? hold.keyId : undefined;
      const about = {
        scope,
        key_id: keyId,
        spend_limit: BigInt(limit),
        spend_models: models ? JSON.stringify(models) : undefined,
      };
      const threshold = { ...about, period, timezone: timezone ?? undefined, spent: charged, resets_at: resetsAt };
      for (const step of reached) this.#write(hold.account, "spend.threshold", { ...threshold, threshold: step });
    }
  }

  /** Writes the notice of a low balance if what is posted has fallen below the amount, once until it is there again. */
  afterPosting(account: string, { posted }: Balance): void {
    const below = this.#low.first(account);
    if (below === undefined) return;
    const isLow = posted < below;
    this.#setLow.run(account, isLow ? below : undefined);
    if (!isLow) return;
    this.#write(account, "balance.low", { available: posted, below });
  }

  /** Writes a notice of an account if somebody reads them. */
  tell(account: string, about: AccountNotice): void {
    if (this.#outbox.isRead()) this.#write(account, about.type, columnsOf(about));
  }

  /** Writes the notices of lots that expire soon, of up to `limit` lots, if somebody reads them. */
  tellOfExpiries(limit: number): void {
    if (!this.#outbox.isRead()) return;
    for (const [account, about] of this.#outbox.takeExpiring(limit)) {
      this.#write(account, about.type, columnsOf(about));
    }
  }

  #write(account: string, type: Notice["type"], values: Readonly<Record<string, Parameter>>): void {
    const optional = optionalColumns.map((name) => values[name]);
    this.#add.run(crypto.randomUUID(), account, type, Date.now(), ...optional);
  }

  claim(limit: number, leaseMs: number): readonly Notice[] {
    this.#outbox.wasRead();
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

function columnsOf(about: AccountNotice): Readonly<Record<string, Parameter>> {
  switch (about.type) {
    case "balance.credited":
      return { amount: about.amount, money_kind: about.kind, reason: about.reason, expires_at: about.expiresAt };
    case "balance.expiring":
      return { amount: about.amount, expires_at: about.expiresAt };
    case "charge.refunded":
      return { amount: about.amount, charge: about.sequence, reason: about.reason };
    case "account.frozen":
      return { reason: about.reason };
    case "account.thawed":
      return {};
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
  readNotice(row, {
    account: row.text("account"),
    at: row.time("at"),
    resetsAt: row.optionalTime("resets_at"),
    expiresAt: row.optionalTime("expires_at"),
  });

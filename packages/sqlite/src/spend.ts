import { keepCapMs, spendWindows } from "@tollgate/core/internal";
import { type SpendQuery, type SpendRefusal, type SpendState, spendSubject, spendWindowAt } from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Command, Query } from "./statement.ts";

interface Counter {
  readonly id: bigint;
  readonly spent: bigint;
}

/** The rows of tollgate_spend that the cost of a hold is counted in, by id. */
export interface CountedIn {
  readonly accountSpend: bigint | undefined;
  readonly keySpend: bigint | undefined;
  readonly tokenSpend: bigint | undefined;
}

/** The rows of tollgate_spend: what was spent in each window of a limit. */
export class Spend {
  readonly #open: Command;
  readonly #find: Query<Counter>;
  readonly #add: Command;
  readonly #endOf: Query<number>;
  readonly #remove: Command;

  constructor(connection: Connection) {
    const names = "scope, subject, period, timezone, starts_at";
    this.#open = connection.command(
      `INSERT INTO tollgate_spend (${names}, remove_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    this.#find = connection.query(
      "SELECT id, spent FROM tollgate_spend WHERE scope = ? AND subject = ? AND period = ? AND timezone = ? AND starts_at = ?",
      (row) => ({ id: row.integer("id"), spent: row.integer("spent") }),
    );
    this.#add = connection.command(
      "UPDATE tollgate_spend SET spent = spent + ?2, charged = charged + ?4 WHERE id IN (?1, ?3, ?5)",
    );
    this.#remove = connection.command("DELETE FROM tollgate_spend WHERE remove_at <= ?");
    this.#endOf = connection.query("SELECT period, timezone, starts_at FROM tollgate_spend WHERE id = ?", (row) => {
      const window = { window: row.oneOf("period", spendWindows), timezone: row.text("timezone") };
      return spendWindowAt(window, Number(row.integer("starts_at"))).resetsAt ?? Number.POSITIVE_INFINITY;
    });
  }

  /** Returns what the limits leave of an amount, at most that amount, or why they leave less than `least`. */
  left(limits: readonly SpendQuery[], amount: bigint, least: bigint): bigint | SpendRefusal {
    let left = amount;
    for (const query of limits) {
      const state = this.state(query);
      const rest = query.limit.limit - state.spent;
      if (rest < least) return { outcome: "spend_limit", scope: query.scope, ...state };
      if (rest < left) left = rest;
    }
    return left;
  }

  state(query: SpendQuery): SpendState {
    const { startsAt, resetsAt } = spendWindowAt(query.limit, Date.now());
    const spent = this.#find.first(...nameOf(query, startsAt))?.spent ?? 0n;
    return { limit: query.limit, spent, ...(resetsAt === undefined ? {} : { resetsAt: new Date(resetsAt) }) };
  }

  /** Counts a new hold in the present windows of its limits, and returns their rows. */
  count(limits: readonly SpendQuery[], amount: bigint): CountedIn {
    const rowOf = new Map(limits.map((query) => [query.scope, this.#row(query)]));
    const counted = {
      accountSpend: rowOf.get("account"),
      keySpend: rowOf.get("key"),
      tokenSpend: rowOf.get("token"),
    };
    this.change(counted, amount, 0n);
    return counted;
  }

  /** Adds to the rows of a hold: to what is charged and held, and to what is charged of it. */
  change({ accountSpend, keySpend, tokenSpend }: CountedIn, spent: bigint, charged: bigint): void {
    if (spent === 0n && charged === 0n) return;
    if (accountSpend === undefined && keySpend === undefined && tokenSpend === undefined) return;
    this.#add.run(accountSpend, spent, keySpend, charged, tokenSpend);
  }

  /** Takes a refund from the rows of a hold whose windows are still open. The cap of a token is not raised. */
  refund({ accountSpend, keySpend }: CountedIn, amount: bigint): void {
    const isOpen = (id: bigint | undefined) => id !== undefined && (this.#endOf.first(id) ?? 0) > Date.now();
    const open = (id: bigint | undefined) => (isOpen(id) ? id : undefined);
    this.change(
      { accountSpend: open(accountSpend), keySpend: open(keySpend), tokenSpend: undefined },
      -amount,
      -amount,
    );
  }

  /** Removes the rows of tokens that expired some time ago. */
  removeExpired(): void {
    this.#remove.run(Date.now());
  }

  #row(query: SpendQuery): bigint | undefined {
    const name = nameOf(query, spendWindowAt(query.limit, Date.now()).startsAt);
    this.#open.run(...name, query.scope === "token" ? query.expiresAt.getTime() + keepCapMs : undefined);
    return this.#find.first(...name)?.id;
  }
}

function nameOf(query: SpendQuery, startsAt: number) {
  const { scope, limit } = query;
  return [scope, spendSubject(query), limit.window, limit.timezone ?? "UTC", startsAt] as const;
}

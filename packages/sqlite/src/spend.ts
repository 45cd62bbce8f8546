import { type SpendQuery, type SpendRefusal, type SpendState, spendWindowAt } from "@tollgate/core/store";
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
}

/** The rows of tollgate_spend: what was spent in each window of a limit. */
export class Spend {
  readonly #open: Command;
  readonly #find: Query<Counter>;
  readonly #add: Command;

  constructor(connection: Connection) {
    const names = "scope, subject, period, timezone, starts_at";
    this.#open = connection.command(
      `INSERT INTO tollgate_spend (${names}) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    this.#find = connection.query(
      "SELECT id, spent FROM tollgate_spend WHERE scope = ? AND subject = ? AND period = ? AND timezone = ? AND starts_at = ?",
      (row) => ({ id: row.integer("id"), spent: row.integer("spent") }),
    );
    this.#add = connection.command(
      "UPDATE tollgate_spend SET spent = spent + ?2, charged = charged + ?4 WHERE id IN (?1, ?3)",
    );
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
    const counted = { accountSpend: rowOf.get("account"), keySpend: rowOf.get("key") };
    this.change(counted, amount, 0n);
    return counted;
  }

  /** Adds to the rows of a hold: to what is charged and held, and to what is charged of it. */
  change({ accountSpend, keySpend }: CountedIn, spent: bigint, charged: bigint): void {
    if ((spent === 0n && charged === 0n) || (accountSpend === undefined && keySpend === undefined)) return;
    this.#add.run(accountSpend, spent, keySpend, charged);
  }

  #row(query: SpendQuery): bigint | undefined {
    const name = nameOf(query, spendWindowAt(query.limit, Date.now()).startsAt);
    this.#open.run(...name);
    return this.#find.first(...name)?.id;
  }
}

const nameOf = ({ scope, id, limit }: SpendQuery, startsAt: number) =>
  [scope, id, limit.window, limit.timezone ?? "UTC", startsAt] as const;

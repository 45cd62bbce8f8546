import {
  askedAmounts,
  type HoldColumns,
  type HoldRequest,
  holdColumnNames,
  type Renewal,
  toHoldColumns,
} from "@tollgate/core/store";
import type { Connection } from "./connection.ts";
import type { Row } from "./row.ts";
import type { CountedIn } from "./spend.ts";
import type { Command, Query } from "./statement.ts";

const states = ["pending", "settled", "released", "expired"] as const;

/** A row of tollgate_hold. Amounts are in nano-units; `charged` is the amount posted for the hold so far. */
export interface Hold {
  readonly id: string;
  readonly account: string;
  /** Undefined: the host charges the account without a key. */
  readonly keyId: string | undefined;
  /** What is held of {@link asked}. */
  readonly amount: bigint;
  /** As `askedAmounts` wrote it. */
  readonly asked: string;
  readonly used: bigint;
  readonly charged: bigint;
  readonly state: (typeof states)[number];
  /** Undefined for a hold that an older version has placed. */
  readonly receipt: HoldColumns | undefined;
  readonly countedIn: CountedIn;
  /** The rules for notices, as JSON. */
  readonly rules: string | undefined;
}

/** The rows of tollgate_hold. Each is pending until it ends, and an expired hold can still be settled. */
export class Holds {
  readonly #find: Query<Hold>;
  readonly #due: Query<Hold>;
  readonly #add: Command;
  readonly #renew: Command;
  readonly #end: Command;

  constructor(connection: Connection) {
    const columns =
      "id, account, key_id, amount, used, charged, state, request_id, model, dialect, description, metadata, account_spend, key_spend, token_spend, notices, asked";
    this.#find = connection.query(`SELECT ${columns} FROM tollgate_hold WHERE id = ?`, toHold);
    this.#due = connection.query(
      // They end in the order in which they were placed, which decides what each takes of the lots.
      `SELECT * FROM (
         SELECT ${columns}, created_at FROM tollgate_hold WHERE state = 'pending' AND expires_at <= ? ORDER BY expires_at LIMIT ?
       ) ORDER BY created_at`,
      toHold,
    );
    this.#add = connection.command(
      `INSERT INTO tollgate_hold (id, account, key_id, amount, created_at, expires_at, request_id, model, dialect,
         description, metadata, account_spend, key_spend, token_spend, notices, asked)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#renew = connection.command(
      "UPDATE tollgate_hold SET expires_at = ?3, used = max(used, ?4) WHERE id = ?1 AND account = ?2 AND state = 'pending'",
    );
    this.#end = connection.command("UPDATE tollgate_hold SET state = ?2, charged = ?3, ended_at = ?4 WHERE id = ?1");
  }

  find(id: string): Hold | undefined {
    return this.#find.first(id);
  }

  /** Returns pending holds whose lease has expired, the longest expired first. */
  due(limit: number): Hold[] {
    return this.#due.all(Date.now(), limit);
  }

  add(request: HoldRequest, amount: bigint, countedIn: CountedIn, rules: string | undefined): void {
    const { id, account, keyId, leaseMs, flexible } = request;
    const now = Date.now();
    const receipt = toHoldColumns(request.receipt);
    const { accountSpend, keySpend, tokenSpend } = countedIn;
    const asked = flexible && askedAmounts(request);
    const counted = [accountSpend, keySpend, tokenSpend, rules, asked];
    const described = holdColumnNames.map((name) => receipt[name]);
    this.#add.run(id, account, keyId, amount, now, now + leaseMs, ...described, ...counted);
  }

  /** Returns false when the hold is not pending. */
  renew({ id, account, used }: Renewal, leaseMs: number): boolean {
    return this.#renew.run(id, account, Date.now() + leaseMs, used) > 0;
  }

  /** Writes the final state of a hold. The caller checks that the hold may take this state. */
  end(id: string, state: Exclude<Hold["state"], "pending">, charged: bigint): void {
    this.#end.run(id, state, charged, Date.now());
  }
}

function toHold(row: Row): Hold {
  return {
    id: row.text("id"),
    account: row.text("account"),
    keyId: row.optionalText("key_id"),
    amount: row.integer("amount"),
    asked: row.optionalText("asked") ?? String(row.integer("amount")),
    used: row.integer("used"),
    charged: row.integer("charged"),
    state: row.oneOf("state", states),
    receipt: toReceipt(row),
    countedIn: {
      accountSpend: row.optionalInteger("account_spend"),
      keySpend: row.optionalInteger("key_spend"),
      tokenSpend: row.optionalInteger("token_spend"),
    },
    rules: row.optionalText("notices"),
  };
}

function toReceipt(row: Row): HoldColumns | undefined {
  const request_id = row.optionalText("request_id");
  if (request_id === undefined) return undefined;
  return {
    request_id,
    model: row.optionalText("model"),
    dialect: row.optionalText("dialect"),
    description: row.optionalText("description"),
    metadata: row.optionalText("metadata"),
  };
}

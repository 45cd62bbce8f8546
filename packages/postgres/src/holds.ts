import type { ChargeReceipt, EndResult, HoldRequest } from "@tollgate/core/store";
import { askedAmounts, leastToHold, toHoldColumns } from "@tollgate/core/store";
import type { Database } from "./database.ts";
import { type HoldAnswer, readHolds } from "./hold-answers.ts";
import type { Row } from "./row.ts";
import type { Statement } from "./schema.ts";
import { hasLimits, toNoticeInput, toSpendInput } from "./spend-limits.ts";
import { batchStatement, type HoldColumn, holdInput, holdInputWithSpend } from "./statements/batch.ts";
import type { Checks } from "./statements/checks.ts";
import { endHoldStatement } from "./statements/end-hold.ts";
import { type EndColumn, endHoldsStatement, endInput } from "./statements/end-holds.ts";
import { holdStatement } from "./statements/hold.ts";
import { inputValues } from "./statements/input.ts";
import { type ChargeInput, chargeTexts, toChargeInput } from "./statements/receipt.ts";

/** A settlement or release of a hold. The charge of a release is 0. */
export interface End {
  readonly id: string;
  readonly state: "settled" | "released";
  readonly charge: bigint;
  /** Absent for a release. */
  readonly receipt?: ChargeReceipt;
}

/** The results of a batch, by id. An end is absent when the account has no such hold. */
export interface BatchAnswer {
  readonly ends: ReadonlyMap<string, EndResult>;
  readonly holds: ReadonlyMap<string, HoldAnswer>;
}

const maxLimited = 50_000;

/** Creates and ends holds: one call per statement, or a batch of calls on one account. */
export class Holds {
  readonly #database: Database;
  readonly #hold: Statement;
  readonly #batch: Statement;
  readonly #batchWithSpend: Statement;
  readonly #ends = endHoldsStatement(false);
  readonly #endsWithSpend = endHoldsStatement(true);
  /** Accounts that were seen to have a spend limit, or to have holds with one. */
  readonly #limited = new Set<string>();

  constructor(database: Database, checks: Checks) {
    this.#database = database;
    this.#hold = holdStatement(checks);
    this.#batch = batchStatement(checks, false);
    this.#batchWithSpend = batchStatement(checks, true);
  }

  async end({ id, state, charge, receipt }: End): Promise<EndResult> {
    const input = toChargeInput(receipt);
    const values = [id, state, String(charge), `{${input.numbers}}`, ...chargeTexts.map((name) => input[name])];
    const [row] = await this.#database.run(endHoldStatement, values);
    return row === undefined ? { outcome: "unknown" } : { outcome: endOutcome(row) };
  }

  async hold(request: HoldRequest): Promise<HoldAnswer> {
    const { account, id, keyId, amount, leaseMs, terms, flexible } = request;
    if (this.#needsSpend(account, [request])) return (await this.batch(account, [], [request])).holds.get(id);
    const { request_id, model, dialect } = toHoldColumns(request.receipt);
    const receipt = [request_id, model, dialect];
    const values = [
      account,
      id,
      keyId,
      String(amount),
      leaseMs,
      JSON.stringify(terms),
      ...receipt,
      toNoticeInput(request),
      String(flexible?.floor ?? amount),
      String(leastToHold(request)),
      flexible && askedAmounts(request),
    ];
    const rows = await this.#database.run(this.#hold, values);
    this.#remember(account, rows);
    return (await readHolds(this.#database, account, [request], rows)).get(id);
  }

  /** Runs a batch. Each id must occur only once. */
  async batch(account: string, ends: readonly End[], holds: readonly HoldRequest[]): Promise<BatchAnswer> {
    const rows = await this.#runBatch(account, ends.map(toEndInput), holds);
    this.#remember(account, rows);
    const endIds = new Set(ends.map(({ id }) => id));
    const ended = rows.filter((row) => endIds.has(row.text("id")));
    return {
      ends: new Map(ended.map((row) => [row.text("id"), { outcome: endOutcome(row) }])),
      holds: await readHolds(this.#database, account, holds, rows),
    };
  }

  async #runBatch(account: string, ends: readonly EndInput[], holds: readonly HoldRequest[]): Promise<readonly Row[]> {
    const withSpend = this.#needsSpend(account, holds);
    const numbers = `{${ends.map((end) => end.numbers).join(",")}}`;
    const values = [account, ...inputValues(endInput, ends), numbers];
    if (holds.length === 0) return this.#database.run(withSpend ? this.#endsWithSpend : this.#ends, values);
    if (!withSpend)
      return this.#database.run(this.#batch, [...values, ...inputValues(holdInput, holds.map(toHoldInput))]);
    const limited = inputValues(holdInputWithSpend, holds.map(toHoldInputWithSpend));
    return this.#database.run(this.#batchWithSpend, [...values, ...limited]);
  }

  /** Also true for the later batches of an account, which end the holds that were counted. */
  #needsSpend(account: string, holds: readonly HoldRequest[]): boolean {
    if (holds.some(hasLimits)) this.#addLimited(account);
    return this.#limited.has(account);
  }

  /** A hold without limits of an account with one was not made, and is retried with the statement that checks it. */
  #remember(account: string, rows: readonly Row[]): void {
    if (rows.some((row) => row.optionalText("own_limit") !== undefined)) this.#addLimited(account);
  }

  #addLimited(account: string): void {
    // The accounts are found again, so their number needs no exact limit.
    if (this.#limited.size > maxLimited) this.#limited.clear();
    this.#limited.add(account);
  }
}

const endOutcome = (row: Row): EndResult["outcome"] => row.oneOf("outcome", ["ended", "repeated", "late", "conflict"]);

type EndInput = Record<EndColumn, string | undefined> & ChargeInput;

const toEndInput = ({ id, state, charge, receipt }: End): EndInput => ({
  id,
  end_state: state,
  end_charge: String(charge),
  ...toChargeInput(receipt),
});

const toHoldInput = (request: HoldRequest): Record<HoldColumn, string | number | undefined> => ({
  id: request.id,
  key_id: request.keyId,
  amount: String(request.amount),
  lease_ms: request.leaseMs,
  terms: JSON.stringify(request.terms),
  ...toHoldColumns(request.receipt),
  notices: toNoticeInput(request),
  floor_amount: String(request.flexible?.floor ?? request.amount),
  least_amount: String(leastToHold(request)),
  asked: request.flexible && askedAmounts(request),
});

const toHoldInputWithSpend = (request: HoldRequest) => ({ ...toHoldInput(request), ...toSpendInput(request) });

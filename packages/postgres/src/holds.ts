import type { TextRow } from "@tollgate/core/internal";
import type { ChargeReceipt, EndResult, HoldRequest, HoldResult } from "@tollgate/core/store";
import { askedAmounts, emptyBalance, holdColumnNames, leastToHold, toHoldColumns } from "@tollgate/core/store";
import { toBalance } from "./accounts.ts";
import { allowanceText, prepareValues } from "./allowances.ts";
import type { Database, RunStatement } from "./database.ts";
import { type HoldAnswer, isUndecided, isUnprepared, readHolds } from "./hold-answers.ts";
import type { Statement } from "./schema.ts";
import { hasLimits, toNoticeInput, toSpendInput } from "./spend-limits.ts";
import { batchStatement, fullHoldInput, type HoldColumn, holdInput } from "./statements/batch.ts";
import type { Checks } from "./statements/checks.ts";
import { endHoldStatement } from "./statements/end-hold.ts";
import { type EndColumn, endHoldsStatement, endInput } from "./statements/end-holds.ts";
import { holdStatement } from "./statements/hold.ts";
import { inputValues } from "./statements/input.ts";
import { packedEndInput, packedEndsStatement, packedHoldInput, packedHoldsStatement } from "./statements/packs.ts";
import { lapseStatement, prepareStatement } from "./statements/preparing.ts";
import { type ChargeInput, chargeTexts, toChargeInput } from "./statements/receipt.ts";

/** A settlement or release of a hold. The charge of a release is 0. */
export interface End {
  readonly id: string;
  readonly state: "settled" | "released";
  readonly charge: bigint;
  /** Absent for a release, and for a charge of the host. */
  readonly receipt?: ChargeReceipt | undefined;
}

/** An end of a hold, and the account that has the hold. */
export type AccountEnd = End & { readonly account: string };

/** The results of a batch, by id. An end is absent when the account has no such hold, or when it must run alone. */
export interface BatchAnswer {
  readonly ends: ReadonlyMap<string, EndResult>;
  readonly holds: ReadonlyMap<string, HoldAnswer>;
  /** The account was not prepared for the batch, so the calls without a result must run one by one. */
  readonly unprepared: boolean;
}

const maxLimited = 50_000;

/** Creates and ends holds: one call per statement, or a batch of calls on one account. */
export class Holds {
  readonly #database: Database;
  readonly #hold: Statement;
  readonly #batch: Statement;
  readonly #fullBatch: Statement;
  readonly #packedHolds: Statement;
  readonly #end = endHoldStatement(false);
  readonly #endWithSpend = endHoldStatement(true);
  readonly #ends = endHoldsStatement(false);
  readonly #endsWithSpend = endHoldsStatement(true);
  /** Accounts that were seen to have a spend limit, or to have holds with one. */
  readonly #limited = new Set<string>();

  constructor(database: Database, checks: Checks) {
    this.#database = database;
    this.#hold = holdStatement(checks);
    this.#batch = batchStatement(checks, false);
    this.#fullBatch = batchStatement(checks, true);
    this.#packedHolds = packedHoldsStatement(checks);
  }

  /** Ends a hold. */
  async end(account: string, { id, state, charge, receipt }: End): Promise<EndResult> {
    const input = toChargeInput(receipt);
    const values = [
      id,
      account,
      state,
      String(charge),
      `{${input.numbers}}`,
      ...chargeTexts.map((name) => input[name]),
    ];
    let withSpend = this.#limited.has(account);
    for (;;) {
      const [row] = await this.#database.run(withSpend ? this.#endWithSpend : this.#end, values);
      if (row === undefined && withSpend) return { outcome: "unknown" };
      if (row === undefined) {
        withSpend = true;
        continue;
      }
      const outcome = endOutcome(row);
      if (outcome !== "unprepared") return { outcome };
      await this.#database.run(lapseStatement, [[account]]);
    }
  }

  async hold(request: HoldRequest): Promise<HoldAnswer> {
    const { account, id } = request;
    const run: RunStatement = (statement, values) => this.#database.run(statement, values);
    const rows = await this.#runHold(request, run, allowanceText(request));
    await this.#lapseIfDue(account, rows);
    const answer = (await readHolds(this.#database, account, [request], rows)).get(id);
    return answer === undefined && rows.some(isUnprepared) ? this.#holdPrepared(request) : answer;
  }

  /** Lets expire what is due of an account that was not prepared, also before an earlier hold is read. */
  async #lapseIfDue(account: string, rows: readonly TextRow[]): Promise<void> {
    if (rows.some(isUnprepared)) await this.#database.run(lapseStatement, [[account]]);
  }

  /** Grants the allowance in the transaction of the hold: not if that is refused. */
  async #holdPrepared(request: HoldRequest): Promise<HoldAnswer> {
    const { account, id, allowance } = request;
    if (allowance === undefined) return undefined;
    const rows = await this.#database.transaction(
      async (run) => {
        await run(prepareStatement, prepareValues(account, allowance));
        const first = await this.#runHold(request, run, isPrepared);
        // The second one sees the counters of spend limits that the first one has created.
        return isUndecided(request, first) ? this.#runHold(request, run, isPrepared) : first;
      },
      (held) => !isUndecided(request, held) && held.some((row) => row.text("outcome") === "held"),
    );
    return (await readHolds(this.#database, account, [request], rows)).get(id);
  }

  async #runHold(request: HoldRequest, run: RunStatement, allowance: string | undefined): Promise<readonly TextRow[]> {
    const { account, id, keyId, amount, leaseMs, terms, flexible } = request;
    if (this.#needsSpend(account, [request]))
      return this.#runBatch({ account, ends: [], holds: [request], allowance }, run);
    const receipt = toHoldColumns(request.receipt);
    const values = [
      account,
      id,
      keyId,
      String(amount),
      leaseMs,
      JSON.stringify(terms),
      ...holdColumnNames.map((name) => receipt[name]),
      toNoticeInput(request),
      String(flexible?.floor ?? amount),
      String(leastToHold(request)),
      flexible && askedAmounts(request),
      allowance,
    ];
    return this.#remember(account, await run(this.#hold, values));
  }

  /** Tells whether a hold can run in a pack: without spend limits and an allowance, and for a call of a model. */
  canPackHold(request: HoldRequest): boolean {
    return request.allowance === undefined && !isOfHost(request) && !this.#needsSpend(request.account, [request]);
  }

  /** Runs holds of different accounts, and returns those that were made. */
  async packHolds(requests: readonly HoldRequest[]): Promise<ReadonlyMap<string, HoldResult>> {
    const rows = requests.map((request) => ({ ...toHoldInput(request), account: request.account }));
    const made = await this.#database.run(this.#packedHolds, inputValues(packedHoldInput, rows));
    return new Map(
      made.map((row) => {
        const balance = toBalance(row) ?? emptyBalance;
        return [row.text("id"), { outcome: "held", balance, amount: row.integer("amount") }] as const;
      }),
    );
  }

  /** Runs ends of different accounts. One without a result must run alone. */
  async packEnds(ends: readonly AccountEnd[]): Promise<ReadonlyMap<string, EndResult>> {
    const rows = ends.map((end) => ({ ...toEndInput(end), account: end.account }));
    const numbers = `{${rows.map((row) => row.numbers).join(",")}}`;
    const ended = await this.#database.run(packedEndsStatement, [...inputValues(packedEndInput, rows), numbers]);
    return new Map(ended.flatMap(toEndResult));
  }

  /** Runs a batch. Each id must occur only once, and the holds must have the same allowance. */
  async batch(account: string, ends: readonly End[], holds: readonly HoldRequest[]): Promise<BatchAnswer> {
    const run: RunStatement = (statement, values) => this.#database.run(statement, values);
    const [first] = holds;
    const allowance = first && allowanceText(first);
    const rows = await this.#runBatch({ account, ends: ends.map(toEndInput), holds, allowance }, run);
    await this.#lapseIfDue(account, rows);
    const endIds = new Set(ends.map(({ id }) => id));
    const ended = rows.filter((row) => endIds.has(row.text("id")));
    return {
      ends: new Map(ended.flatMap(toEndResult)),
      holds: await readHolds(this.#database, account, holds, rows),
      unprepared: rows.some(isUnprepared),
    };
  }

  async #runBatch({ account, ends, holds, allowance }: BatchInput, run: RunStatement): Promise<readonly TextRow[]> {
    const withSpend = this.#needsSpend(account, holds);
    const numbers = `{${ends.map((end) => end.numbers).join(",")}}`;
    const values = [account, ...inputValues(endInput, ends), numbers];
    if (holds.length === 0) return run(withSpend ? this.#endsWithSpend : this.#ends, values);
    const isFull = withSpend || holds.some(isOfHost);
    const input = isFull
      ? inputValues(fullHoldInput, holds.map(toFullHoldInput))
      : inputValues(holdInput, holds.map(toHoldInput));
    return this.#remember(account, await run(isFull ? this.#fullBatch : this.#batch, [...values, allowance, ...input]));
  }

  /** Also true for the later batches of an account, which end the holds that were counted. */
  #needsSpend(account: string, holds: readonly HoldRequest[]): boolean {
    if (holds.some(hasLimits)) this.#addLimited(account);
    return this.#limited.has(account);
  }

  /** A hold without limits of an account with one was not made, and is retried with the statement that checks it. */
  #remember(account: string, rows: readonly TextRow[]): readonly TextRow[] {
    if (rows.some((row) => row.optionalText("own_limit") !== undefined)) this.#addLimited(account);
    return rows;
  }

  #addLimited(account: string): void {
    // The accounts are found again, so their number needs no exact limit.
    if (this.#limited.size > maxLimited) this.#limited.clear();
    this.#limited.add(account);
  }
}

interface BatchInput {
  readonly account: string;
  readonly ends: readonly EndInput[];
  readonly holds: readonly HoldRequest[];
  /** That of all holds as text, or {@link isPrepared}. */
  readonly allowance: string | undefined;
}

/** In place of an allowance: the transaction has prepared the account. */
const isPrepared = "";

const endOutcome = (row: TextRow) => row.oneOf("outcome", ["ended", "repeated", "late", "conflict", "unprepared"]);

function toEndResult(row: TextRow): (readonly [id: string, result: EndResult])[] {
  const outcome = endOutcome(row);
  return outcome === "unprepared" ? [] : [[row.text("id"), { outcome }]];
}

type EndInput = Record<EndColumn, string | undefined> & ChargeInput;

const toEndInput = ({ id, state, charge, receipt }: End): EndInput => ({
  id,
  end_state: state,
  end_charge: String(charge),
  ...toChargeInput(receipt),
});

const isOfHost = ({ receipt }: HoldRequest): boolean => receipt.model === undefined;

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

const toFullHoldInput = (request: HoldRequest) => ({
  ...toHoldInput(request),
  ...toHoldColumns(request.receipt),
  ...toSpendInput(request),
});

import type { TextRow } from "@tollgate/core/internal";
import {
  askedAmounts,
  type Balance,
  emptyBalance,
  type HoldRequest,
  type HoldResult,
  leastToHold,
} from "@tollgate/core/store";
import { toBalance } from "./accounts.ts";
import type { Database } from "./database.ts";
import { readSpendRefusal } from "./spend-limits.ts";
import { existingHoldsStatement, newAccountStatement } from "./statements/hold.ts";

/** The result of a hold statement. Undefined means that the hold must be retried. */
export type HoldAnswer = HoldResult | undefined;

/**
 * Reads the results of a hold statement, by id. A refusal is final only if the id is unused, which a later statement
 * checks. A hold of zero on an unknown account must be retried, so the account is created for the retry, unless it must be
 * prepared anyway.
 */
export async function readHolds(
  database: Database,
  account: string,
  requests: readonly HoldRequest[],
  rows: readonly TextRow[],
): Promise<ReadonlyMap<string, HoldAnswer>> {
  const rowOf = new Map(rows.map((row) => [row.text("id"), row]));
  const answers = new Map(requests.map((request) => [request.id, toAnswer(request, rowOf.get(request.id))]));
  const refused = requests.filter(({ id }) => answers.get(id)?.outcome !== "held");
  if (refused.length === 0) return answers;
  for (const [id, earlier] of await findEarlier(database, account, refused)) answers.set(id, earlier);
  const isUnknownAccount = refused.some(({ id }) => {
    const row = rowOf.get(id);
    return answers.get(id) === undefined && accountBalance(row) === undefined && !isUnprepared(row);
  });
  if (isUnknownAccount) await database.run(newAccountStatement, [account]);
  return answers;
}

/** Tells whether the account of a call was not prepared for it. */
export const isUnprepared = (row: TextRow | undefined): boolean => row?.text("outcome") === "unprepared";

/** Tells whether a hold was neither made nor refused by its statement, of which it is the only hold. */
export const isUndecided = (request: HoldRequest, [row]: readonly TextRow[]): boolean =>
  toAnswer(request, row) === undefined;

const accountBalance = (row: TextRow | undefined): Balance | undefined => row && toBalance(row);

function toAnswer(request: HoldRequest, row: TextRow | undefined): HoldAnswer {
  if (row === undefined) return undefined;
  const outcome = row.oneOf("outcome", ["held", "key_refused", "terms_refused", "frozen", "unprepared", "not_made"]);
  if (outcome === "unprepared") return undefined;
  if (outcome === "key_refused" || outcome === "terms_refused" || outcome === "frozen") return { outcome };
  const balance = toBalance(row) ?? emptyBalance;
  if (outcome === "held") return { outcome, balance, amount: row.integer("amount") };
  const least = leastToHold(request);
  if (least > balance.available) return { outcome: "insufficient", balance };
  return readSpendRefusal(row, least);
}

/**
 * Returns the results for the ids that are taken. It needs a later snapshot than the hold statement: see {@link
 * holdOutcome}.
 */
async function findEarlier(
  database: Database,
  account: string,
  refused: readonly HoldRequest[],
): Promise<readonly (readonly [string, HoldResult])[]> {
  const rows = await database.run(existingHoldsStatement, [account, refused.map(({ id }) => id)]);
  const rowOf = new Map(rows.map((row) => [row.optionalText("id"), row]));
  return refused.flatMap((request) => {
    const row = rowOf.get(request.id);
    return row === undefined ? [] : [[request.id, earlierAnswer(request, row)] as const];
  });
}

function earlierAnswer(request: HoldRequest, row: TextRow): HoldResult {
  const isSameKey = row.text("account_id") === request.account && row.optionalText("key_id") === request.keyId;
  if (!isSameKey || row.text("asked") !== askedAmounts(request)) return { outcome: "conflict" };
  const state = row.oneOf("state", ["pending", "settled", "released", "expired"]);
  if (state === "settled") return { outcome: "ended", cost: row.integer("charged") };
  if (state === "released") return { outcome: "ended", cost: undefined };
  return { outcome: "held", balance: toBalance(row) ?? emptyBalance, amount: row.integer("amount") };
}

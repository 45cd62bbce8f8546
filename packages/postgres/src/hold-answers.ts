import type { Balance, HoldRequest, HoldResult } from "@tollgate/core/store";
import { emptyBalance } from "@tollgate/core/store";
import { balanceIn } from "./balance-row.ts";
import type { Database } from "./database.ts";
import type { Row } from "./row.ts";
import { existingHoldsStatement, newAccountStatement } from "./statements/hold.ts";

/** What became of a hold that a statement was to make; undefined: it must be tried again. */
export type HoldAnswer = HoldResult | undefined;

/**
 * The answer to each request by its id, given the rows of the statement that was to make them. A refusal stands only
 * if the id is not taken, which is looked up after it. A hold of nothing on an account that was never seen is to be
 * tried again, and so that it can succeed, the account is made.
 */
export async function readHolds(
  database: Database,
  account: string,
  requests: readonly HoldRequest[],
  rows: readonly Row[],
): Promise<ReadonlyMap<string, HoldAnswer>> {
  const rowOf = new Map(rows.map((row) => [row.text("id"), row]));
  const answers = new Map(requests.map((request) => [request.id, toAnswer(request, rowOf.get(request.id))]));
  const refused = requests.filter(({ id }) => answers.get(id)?.outcome !== "held");
  if (refused.length === 0) return answers;
  for (const [id, earlier] of await findEarlier(database, account, refused)) answers.set(id, earlier);
  const isUnseen = refused.some(
    ({ id }) => answers.get(id) === undefined && accountBalance(rowOf.get(id)) === undefined,
  );
  if (isUnseen) await database.run(newAccountStatement, [account]);
  return answers;
}

const accountBalance = (row: Row | undefined): Balance | undefined => row && balanceIn(row);

function toAnswer({ amount }: HoldRequest, row: Row | undefined): HoldAnswer {
  if (row === undefined) return undefined;
  const outcome = row.oneOf("outcome", ["held", "key_refused", "terms_refused", "not_made"]);
  if (outcome === "key_refused" || outcome === "terms_refused") return { outcome };
  const balance = balanceIn(row) ?? emptyBalance;
  if (outcome === "held") return { outcome, balance };
  return amount > balance.available ? { outcome: "insufficient", balance } : undefined;
}

/** The answers to those whose id is taken. Its snapshot is its own, and later: see {@link holdOutcome}. */
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

function earlierAnswer({ account, keyId, amount }: HoldRequest, row: Row): HoldResult {
  const same = row.text("account_id") === account && row.text("key_id") === keyId && row.bigint("amount") === amount;
  return same ? { outcome: "held", balance: balanceIn(row) ?? emptyBalance } : { outcome: "conflict" };
}

import type { Statement, Tables } from "../schema.ts";
import { type HoldColumn, holdInput } from "./batch.ts";
import type { Checks } from "./checks.ts";
import { endColumns, endsOfLockedHolds } from "./end-hold.ts";
import { type EndColumn, endInput } from "./end-holds.ts";
import { amountToHold, holdConditions, leaseEnd, lowBalance } from "./hold.ts";
import { type InputColumn, inputRows, seemsRare } from "./input.ts";

/** The columns of the input for holds of different accounts. */
export const packedHoldInput: readonly InputColumn<HoldColumn | "account">[] = [["account", "text"], ...holdInput];

/** The columns of the input for ends of holds of different accounts. */
export const packedEndInput: readonly InputColumn<EndColumn | "account">[] = [["account", "text"], ...endInput];

const due = "next_lapse <= clock_timestamp() AND posted > held";

/**
 * Selects the accounts $1 that no other transaction has locked, in the order of their ids. The statement never waits for one: the
 * calls of an account that is locked run alone. Lateral, so that each is found by its id.
 */
const lockedAccounts = (tables: Tables, columns: string): string =>
  `SELECT account.* FROM (SELECT id FROM unnest($1::text[]) AS asked (id) ORDER BY id) AS asked CROSS JOIN LATERAL (
    SELECT id, ${columns} FROM ${tables.account} WHERE id = asked.id FOR UPDATE SKIP LOCKED
  ) AS account`;

/**
 * Creates holds of different accounts, one of each, with one commit. The input is {@link packedHoldInput}. Returns the rows of the
 * holds that were made, as `holdStatement` does; any other hold must run alone, which tells why it was refused. It makes no hold of
 * an account that has a spend limit or must be prepared.
 */
export function packedHoldsStatement(checks: Checks): Statement {
  return (tables) => `
WITH asked_hold AS MATERIALIZED (
  ${inputRows(packedHoldInput, 1)}
), locked_account AS (
  ${lockedAccounts(tables, `posted, held, spend_limit, ${holdConditions(due, "NULL::text")}`)}
), good_key AS (
  ${goodKeys(tables, checks)}
), made AS (
  INSERT INTO ${tables.hold} (id, account_id, key_id, amount, expires_at, request_id, model, dialect, notices, asked)
  SELECT asked_hold.id, account, key_id, ${amountToHold("posted::numeric - held", "amount", "floor_amount", "least_amount")},
         ${leaseEnd("lease_ms")}, request_id, model, dialect, notices, asked
    FROM asked_hold JOIN locked_account ON locked_account.id = account
   WHERE NOT frozen AND prepared AND spend_limit IS NULL AND posted::numeric - held >= least_amount
     AND (key_id IS NULL OR (key_id, account) IN (SELECT id, account_id FROM good_key))
     AND ${termsAccepted(tables, checks)}
   ORDER BY asked_hold.id
      ON CONFLICT (id) DO NOTHING
  RETURNING id, account_id, amount, notices
), moved AS (
  UPDATE ${tables.account} SET held = account.held + made.amount, low_balance = ${lowBalance("made.notices")}
    FROM made WHERE account.id = made.account_id AND ${seemsRare("made.amount")} AND made.amount > 0
)
SELECT made.id, 'held' AS outcome, made.amount::text AS amount, posted::text AS posted, (held + made.amount)::text AS held
  FROM made JOIN locked_account ON locked_account.id = made.account_id`;
}

/**
 * Selects the valid keys. They stay locked until the holds commit, as in `checks.ts`, and their accounts were locked first. Lateral,
 * so that each is found by its id.
 */
function goodKeys({ apiKey }: Tables, checks: Checks): string {
  if (!checks.key) return "SELECT key_id AS id, account AS account_id FROM asked_hold";
  return `SELECT api_key.*
    FROM asked_hold JOIN locked_account ON locked_account.id = account CROSS JOIN LATERAL (
      SELECT api_key.id, api_key.account_id FROM ${apiKey} AS api_key
       WHERE api_key.id = asked_hold.key_id AND api_key.account_id = locked_account.id
         AND api_key.revoked_at IS NULL AND (api_key.expires_at IS NULL OR api_key.expires_at > clock_timestamp())
         FOR SHARE
    ) AS api_key`;
}

function termsAccepted({ termsAcceptance }: Tables, checks: Checks): string {
  if (!checks.terms) return "true";
  return `(terms = '[]' OR EXISTS (
       SELECT FROM ${termsAcceptance} AS accepted
        WHERE accepted.account_id = account AND terms ? accepted.version_id))`;
}

/** The parameter with the numbers of the receipts of packed ends. */
const numbers = `$${packedEndInput.length + 1}`;
const keyUses = "SELECT key_id, account_id, -posted_change FROM ending WHERE posted_change <> 0 AND key_id IS NOT NULL";

/**
 * Ends holds of different accounts, one of each, with one commit. The input is {@link packedEndInput}, then the numbers of the
 * receipts. Returns one row for each end, as `endHoldStatement` does, and none for one that must run alone: of a hold that does not
 * exist or is counted in a spend limit, or of an account that is locked or must be prepared.
 */
export function packedEndsStatement(tables: Tables): string {
  return `
WITH asked_end AS MATERIALIZED (
  ${inputRows(packedEndInput, 1)}
), locked_account AS (
  ${lockedAccounts(tables, `next_lapse, ${due} AS due`)}
), locked_hold AS (
  -- Lateral, so that each hold is found by its id, and is locked after its account.
  SELECT hold.*, asked_end.end_state, asked_end.end_charge, due, next_lapse IS NOT NULL AS has_lots
    FROM locked_account JOIN asked_end ON asked_end.account = locked_account.id CROSS JOIN LATERAL (
      SELECT ${endColumns} FROM ${tables.hold} AS hold
       WHERE hold.id = asked_end.id AND hold.account_id = locked_account.id
         AND account_spend IS NULL AND key_spend IS NULL AND token_spend IS NULL
         FOR UPDATE
    ) AS hold
), ${endsOfLockedHolds(tables, numbers, keyUses)}, moved AS (
  UPDATE ${tables.account} AS account SET posted = account.posted + posted_change, held = account.held + held_change
    FROM ending WHERE account.id = ending.account_id AND ${seemsRare("ending.amount")}
)
SELECT id, outcome FROM judged_end WHERE outcome <> 'unprepared'`;
}

import type { Tables } from "../schema.ts";
import { numberingFunctions } from "./numbering.ts";

const id = `text COLLATE "C"`;

/** The migration that adds the fences of accounts, and numbers the rows. */
export function fenceTables(tables: Tables): readonly string[] {
  const { apiKey, hold, response, session, shardFence, shardSelf, termsAcceptance } = tables;
  const ofAccounts = [hold, apiKey, termsAcceptance, session, response];
  return [
    `CREATE TABLE ${shardSelf} (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), name ${id} NOT NULL, token ${id} NOT NULL)`,
    `CREATE TABLE ${shardFence} (
       account_id ${id} PRIMARY KEY,
       state ${id} NOT NULL CHECK (state IN ('leaving', 'moved', 'arriving')),
       since timestamptz NOT NULL DEFAULT clock_timestamp()
     )`,
    ...fencedAccounts(tables),
    ...ofAccounts.flatMap((table) => fencedTable(tables, table, "account_id")),
    ...numberingFunctions(tables),
  ];
}

/**
 * Refuses statements that change rows of a fenced account. The check is a trigger at the end of the statement: one call for all
 * its rows, after the locks that the statement takes.
 */
export function fencedTable(tables: Tables, table: string, column: string): readonly string[] {
  const check = `${tables.refuseFenced}_of_${column}`;
  return [
    checkFunction(tables, check, `(SELECT DISTINCT ${column} AS id FROM changed ORDER BY 1)`),
    ...(["INSERT", "UPDATE", "DELETE"] as const).map(
      (event) => `CREATE TRIGGER fenced_${event.toLowerCase()} AFTER ${event} ON ${table}
       REFERENCING ${event === "DELETE" ? "OLD" : "NEW"} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${check}()`,
    ),
  ];
}

/**
 * Does the same for the table of accounts, row by row: a change of what is held is left out, since it comes with one of holds, whose
 * trigger runs in any case. That saves half of the calls.
 */
function fencedAccounts(tables: Tables): readonly string[] {
  const check = `${tables.refuseFenced}_account`;
  return [
    checkFunction(tables, check, "(SELECT NEW.id)"),
    `CREATE TRIGGER fenced_insert AFTER INSERT ON ${tables.account} FOR EACH ROW EXECUTE FUNCTION ${check}()`,
    `CREATE TRIGGER fenced_update AFTER UPDATE ON ${tables.account} FOR EACH ROW
       WHEN (NEW.held = OLD.held) EXECUTE FUNCTION ${check}()`,
  ];
}

/** A function of triggers. `changed` is a query of the ids of the accounts that the statement has changed. */
const checkFunction = (
  { shardFence }: Tables,
  name: string,
  changed: string,
): string => `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  fenced record;
BEGIN
  IF coalesce(current_setting('${moverSetting}', true), '') = 'on' THEN
    RETURN NULL;
  END IF;
  -- Under a stricter level, the fences below would be those of an older snapshot. The stores repeat the statement.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'A transaction that changes accounts in a shard must be READ COMMITTED.' USING ERRCODE = '40001';
  END IF;
  -- A statement of its own, so that the next one sees the fences of all moves that had the lock before.
  PERFORM pg_advisory_xact_lock_shared(${fenceLock("own.id")}) FROM ${changed} AS own (id);
  SELECT fence.account_id, fence.state INTO fenced
    FROM ${shardFence} AS fence WHERE fence.account_id IN ${changed} LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'Account "%" is fenced in this shard: %.', fenced.account_id, fenced.state USING ERRCODE = '${fencedCode}';
  END IF;
  RETURN NULL;
END $body$`;

/** The code of the error of a statement that changes a fenced account. */
export const fencedCode = "TG001";

/** The setting that lets a transaction of a move change a fenced account. */
export const moverSetting = "tollgate.mover";

/** The key of the lock between writers of an account and its fence. */
export const fenceLock = (account: string): string => `hashtextextended('tollgate fence of ' || ${account}, 0)`;

import { outboxReadMs } from "@tollgate/core/store";
import type { Tables } from "./schema.ts";

/**
 * The migration that adds the notices of credits, refunds, freezes and expiries. The outbox has one row: when notices were
 * claimed last. Triggers write the notices in the transactions of what they tell of, also for processes of older versions; those
 * of expiries are written by the sweep.
 */
export function outboxTables(tables: Tables): readonly string[] {
  const { account, entry, lot, notice, outbox, noteEntry, noteFreeze } = tables;
  return [
    // All that the migration changes, in the order in which running processes lock it, so that none waits for the other.
    `LOCK TABLE ${account}, ${entry}, ${lot}, ${notice} IN ACCESS EXCLUSIVE MODE`,
    `ALTER TABLE ${notice}
       ADD COLUMN amount bigint,
       ADD COLUMN money_kind text,
       ADD COLUMN reason text,
       ADD COLUMN expires_at timestamptz,
       ADD COLUMN charge bigint`,
    `CREATE TABLE ${outbox} (id int PRIMARY KEY CHECK (id = 1), claimed_at timestamptz NOT NULL)`,
    `INSERT INTO ${outbox} VALUES (1, '-infinity')`,
    `ALTER TABLE ${lot} ADD COLUMN noticed boolean NOT NULL DEFAULT false`,
    `CREATE INDEX lot_expiry ON ${lot} (expires_at) WHERE ${isExpiring}`,
    entryFunction(tables),
    `CREATE TRIGGER entry_noticed AFTER INSERT ON ${entry} FOR EACH ROW
       WHEN (NEW.kind IN ('credit', 'refund')) EXECUTE FUNCTION ${noteEntry}()`,
    freezeFunction(tables),
    `CREATE TRIGGER freeze_noticed AFTER UPDATE OF frozen_at ON ${account} FOR EACH ROW
       WHEN ((OLD.frozen_at IS NULL) <> (NEW.frozen_at IS NULL)) EXECUTE FUNCTION ${noteFreeze}()`,
    `CREATE TRIGGER new_freeze_noticed AFTER INSERT ON ${account} FOR EACH ROW
       WHEN (NEW.frozen_at IS NOT NULL) EXECUTE FUNCTION ${noteFreeze}()`,
  ];
}

/** A condition over a lot: the notice of its expiry is not written yet. It excludes the same lots as `unnoticedLot` of core. */
export const isExpiring = "NOT noticed AND NOT is_empty AND expires_at IS NOT NULL AND id !~ '^allowance:(day|week):'";

/** A condition over the row of the outbox: somebody reads it. */
export const isRead: string = `claimed_at > clock_timestamp() - interval '${outboxReadMs} milliseconds'`;

function entryFunction({ notice, outbox, noteEntry }: Tables): string {
  return `CREATE FUNCTION ${noteEntry}() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO ${notice} (account_id, type, amount, money_kind, reason, expires_at, charge)
  SELECT NEW.account_id, CASE NEW.kind WHEN 'credit' THEN 'balance.credited' ELSE 'charge.refunded' END, NEW.amount,
         CASE NEW.kind WHEN 'credit' THEN coalesce(NEW.money, 'paid') END, NEW.reason, NEW.expires_at,
         CASE NEW.kind WHEN 'refund' THEN NEW.reference::bigint END
    FROM ${outbox} WHERE ${isRead};
  RETURN NULL;
END $body$`;
}

function freezeFunction({ notice, outbox, noteFreeze }: Tables): string {
  return `CREATE FUNCTION ${noteFreeze}() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO ${notice} (account_id, type, reason)
  SELECT NEW.id, CASE WHEN NEW.frozen_at IS NULL THEN 'account.thawed' ELSE 'account.frozen' END, NEW.frozen_reason
    FROM ${outbox} WHERE ${isRead};
  RETURN NULL;
END $body$`;
}

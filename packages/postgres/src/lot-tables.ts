import { chargeWithoutRefunds, thresholdFunction } from "./charged-tables.ts";
import { lotFunctions } from "./lot-functions.ts";
import { postingFunctions } from "./posting-functions.ts";
import { preparingFunctions } from "./preparing-functions.ts";
import type { Tables } from "./schema.ts";

const id = `text COLLATE "C"`;
const charges = "('charge', 'expiry', 'late')";

/**
 * The migration that adds lots, totals, freezes, refunds and charges of the host. Only money that is granted or expires has rows
 * in `lot`; the rest of what is posted is paid and does not expire. The totals of what was posted before are computed from the
 * entries. A trigger counts what processes of older versions charge and credit, and takes it from the lots.
 */
export function lotTables(tables: Tables): readonly string[] {
  const { account, hold, entry } = tables;
  return [
    // All that the migration changes, in the order in which running processes lock it, so that none waits for the other.
    `LOCK TABLE ${account}, ${hold}, ${entry} IN ACCESS EXCLUSIVE MODE`,
    // `funded` is the sum of the entries that are neither charges nor refunds of them, so that `funded - posted` was used: a
    // charge moves only what is posted. `next_lapse` is when the next lot expires: infinity if none does, and NULL without lots.
    // `allowance` is the window and the time zone of the last allowance, and `allowance_until` its end.
    `ALTER TABLE ${account}
       ADD COLUMN credited numeric NOT NULL DEFAULT 0,
       ADD COLUMN funded numeric NOT NULL DEFAULT 0,
       ADD COLUMN next_lapse timestamptz,
       ADD COLUMN allowance text,
       ADD COLUMN allowance_until timestamptz,
       ADD COLUMN frozen_at timestamptz,
       ADD COLUMN frozen_reason text`,
    `CREATE INDEX account_lapse ON ${account} (next_lapse) WHERE next_lapse IS NOT NULL`,
    ...receiptColumns(tables),
    ...newTables(tables),
    ...countEntries(tables),
    ...lotFunctions(tables),
    ...preparingFunctions(tables),
    ...postingFunctions(tables),
    `CREATE TRIGGER entry_completed AFTER INSERT ON ${entry} FOR EACH ROW
       WHEN (NEW.uncounted IS NOT NULL) EXECUTE FUNCTION ${tables.completeEntry}()`,
    // What was refunded of a hold counts no more, so a late settlement cannot return it again.
    thresholdFunction(tables, chargeWithoutRefunds),
  ];
}

/**
 * A charge of the host has a description and metadata, as JSON, in place of a model. `money` is the kind of a credit, if it is
 * granted, and what a debit takes from, if that is paid money alone. `asked` is the amount of such a debit, which can be more
 * than what was posted. `uncounted` tells a trigger what is left to do for an entry: true, of a writer of an older version,
 * the totals and the lots; false, the lots; and NULL, nothing.
 */
function receiptColumns({ hold, entry }: Tables): readonly string[] {
  return [
    `ALTER TABLE ${hold}
       ALTER COLUMN key_id DROP NOT NULL,
       ADD COLUMN description text,
       ADD COLUMN metadata text,
       ADD COLUMN refunded bigint`,
    `ALTER TABLE ${entry}
       DROP CONSTRAINT entry_kind_check,
       ADD CONSTRAINT entry_kind_check
         CHECK (kind IN ('credit', 'debit', 'charge', 'expiry', 'late', 'refund', 'lapse', 'allowance')),
       DROP CONSTRAINT entry_amount_check,
       -- A debit of paid money that found none is kept, so that it has no effect when it is repeated.
       ADD CONSTRAINT entry_amount_check CHECK (amount <> 0 OR asked IS NOT NULL),
       ADD COLUMN description text,
       ADD COLUMN metadata text,
       ADD COLUMN tier bigint,
       ADD COLUMN lots jsonb,
       ADD COLUMN money text,
       ADD COLUMN expires_at timestamptz,
       ADD COLUMN asked bigint,
       ADD COLUMN uncounted boolean DEFAULT true`,
    `CREATE UNIQUE INDEX entry_of_refund ON ${entry} (reference) WHERE kind = 'refund'`,
    `CREATE INDEX entry_of_lot ON ${entry} (account_id, reference) WHERE kind IN ('refund', 'lapse', 'allowance')`,
  ];
}

/** Only a lot that becomes empty, or is so no more, changes an indexed column. */
function newTables({ lot, keyUsage }: Tables): readonly string[] {
  const updated = "WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)";
  return [
    `CREATE TABLE ${lot} (
       account_id ${id} NOT NULL,
       id ${id} NOT NULL,
       kind ${id} NOT NULL CHECK (kind IN ('paid', 'granted')),
       rest bigint NOT NULL CHECK (rest >= 0),
       is_empty boolean NOT NULL GENERATED ALWAYS AS (rest = 0) STORED,
       expires_at timestamptz,
       sequence bigint NOT NULL,
       PRIMARY KEY (account_id, id)
     ) ${updated}`,
    `CREATE INDEX lot_left ON ${lot} (account_id, expires_at, sequence) WHERE NOT is_empty`,
    // By account too, so that each row is changed under the lock of one account alone.
    `CREATE TABLE ${keyUsage} (
       key_id ${id} NOT NULL,
       account_id ${id} NOT NULL,
       used numeric NOT NULL,
       PRIMARY KEY (key_id, account_id)
     ) ${updated}`,
  ];
}

function countEntries({ account, hold, entry, keyUsage }: Tables): readonly string[] {
  return [
    // Entries from before receipts have no key.
    `UPDATE ${entry} AS entry SET key_id = hold.key_id FROM ${hold} AS hold
      WHERE entry.kind IN ${charges} AND entry.key_id IS NULL AND hold.id = entry.reference`,
    `UPDATE ${account} AS account SET credited = counted.credited, funded = counted.funded
       FROM (SELECT account_id, sum(greatest(amount, 0)) AS credited, sum(amount) AS funded
               FROM ${entry} WHERE kind IN ('credit', 'debit') GROUP BY account_id) AS counted
      WHERE account.id = counted.account_id`,
    `INSERT INTO ${keyUsage} (key_id, account_id, used)
     SELECT key_id, account_id, -sum(amount) FROM ${entry}
      WHERE kind IN ${charges} AND key_id IS NOT NULL GROUP BY key_id, account_id`,
  ];
}

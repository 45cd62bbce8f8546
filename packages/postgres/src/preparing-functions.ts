import { isoTime, shareOf } from "./lot-functions.ts";
import type { Tables } from "./schema.ts";

/** The functions that change lots besides a posting: at their time, at the first hold of a window, and after a charge. */
export function preparingFunctions(tables: Tables): readonly string[] {
  return [lapseFunction(tables), windowFunction(tables), prepareFunction(tables), completeFunction(tables)];
}

/** Lets expire what is due of the lots of an account whose row is locked, and returns the row. Holds keep what they need. */
function lapseFunction({ account, lot, entry, noteLots, lapseLots }: Tables): string {
  return `CREATE FUNCTION ${lapseLots}(own ${account}) RETURNS ${account} LANGUAGE plpgsql AS $body$
DECLARE
  due ${lot};
  part bigint;
BEGIN
  IF own.next_lapse > clock_timestamp() OR own.posted <= own.held OR own.next_lapse IS NULL THEN
    RETURN own;
  END IF;
  FOR due IN SELECT * FROM ${lot} AS known
              WHERE known.account_id = own.id AND NOT known.is_empty AND known.expires_at <= clock_timestamp()
              ORDER BY known.expires_at, known.sequence LOOP
    part := least(due.rest, own.posted - own.held);
    EXIT WHEN part = 0;
    UPDATE ${lot} AS known SET rest = known.rest - part WHERE known.account_id = own.id AND known.id = due.id;
    INSERT INTO ${entry} (account_id, kind, amount, reference, lots, uncounted)
    VALUES (own.id, 'lapse', -part, due.id,
            jsonb_build_array(${shareOf("due.id", "due.kind", "part", "due.expires_at")}), NULL);
    own.posted := own.posted - part;
  END LOOP;
  UPDATE ${account} AS known SET posted = own.posted, funded = known.funded - known.posted + own.posted WHERE known.id = own.id;
  PERFORM ${noteLots}(own.id);
  SELECT * INTO own FROM ${account} AS known WHERE known.id = own.id;
  RETURN own;
END $body$`;
}

/** Returns the lot and the end of the present window of an allowance. */
function windowFunction({ allowanceWindow }: Tables): string {
  return `CREATE FUNCTION ${allowanceWindow}(period text, zone text, OUT lot text, OUT ends timestamptz) LANGUAGE plpgsql AS $body$
DECLARE
  starts timestamp := date_trunc(period, clock_timestamp() AT TIME ZONE zone);
BEGIN
  lot := 'allowance:' || period || ':' || ${isoTime("(starts AT TIME ZONE zone)")};
  ends := (starts + ('1 ' || period)::interval) AT TIME ZONE zone;
END $body$`;
}

/**
 * Makes an account ready for its next call: lets expire what is due, and grants the allowance of the present window, unless it
 * was granted or is NULL. Creates the account if it does not exist.
 */
function prepareFunction(tables: Tables): string {
  const { account, lot, entry, lockAccount, noteLots, lapseLots, allowanceWindow, prepareAccount } = tables;
  return `CREATE FUNCTION ${prepareAccount}(of_account text, granted bigint, period text, zone text)
  RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  own ${account} := ${lapseLots}(${lockAccount}(of_account));
  present record;
  part bigint;
  place bigint;
BEGIN
  IF granted IS NULL THEN
    RETURN;
  END IF;
  SELECT * INTO present FROM ${allowanceWindow}(period, zone);
  UPDATE ${account} AS known SET allowance = period || ' ' || zone, allowance_until = present.ends WHERE known.id = of_account;
  IF EXISTS (SELECT FROM ${lot} AS known WHERE known.account_id = of_account AND known.id = present.lot) THEN
    RETURN;
  END IF;
  part := least(granted, greatest(own.posted + granted, 0));
  INSERT INTO ${entry} (account_id, kind, amount, reference, reason, lots, uncounted)
  VALUES (of_account, 'allowance', granted, present.lot, 'allowance',
          CASE WHEN part > 0 THEN jsonb_build_array(${shareOf("present.lot", "'granted'", "part", "present.ends")}) END, NULL)
  RETURNING sequence INTO place;
  INSERT INTO ${lot} (account_id, id, kind, rest, expires_at, sequence)
  VALUES (of_account, present.lot, 'granted', part, present.ends, place);
  UPDATE ${account} AS known
     SET posted = known.posted + granted, credited = known.credited + granted, funded = known.funded + granted
   WHERE known.id = of_account;
  PERFORM ${noteLots}(of_account);
END $body$`;
}

/**
 * Completes an entry of an account with lots, and every entry of an older version, which moves no totals. Each entry is
 * completed by the balance at its place: the ones that the same statement wrote after it are subtracted.
 */
function completeFunction(tables: Tables): string {
  const { account, hold, entry, keyUsage, takeLots, returnLots, completeEntry } = tables;
  return `CREATE FUNCTION ${completeEntry}() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  charge ${entry};
  ended ${hold};
  shares jsonb;
BEGIN
  IF NEW.uncounted THEN
    UPDATE ${account} AS own SET credited = own.credited + greatest(NEW.amount, 0), funded = own.funded + NEW.amount
     WHERE own.id = NEW.account_id AND NEW.kind IN ('credit', 'debit');
    INSERT INTO ${keyUsage} AS known (key_id, account_id, used)
    SELECT NEW.key_id, NEW.account_id, -NEW.amount WHERE NEW.key_id IS NOT NULL
        ON CONFLICT (key_id, account_id) DO UPDATE SET used = known.used + excluded.used;
  END IF;
  IF NEW.amount < 0 THEN
    shares := ${takeLots}(NEW.account_id, -NEW.amount, NULL);
  ELSIF NEW.kind = 'late' THEN
    SELECT * INTO charge FROM ${entry} AS known WHERE known.reference = NEW.reference AND known.kind = 'expiry';
    SELECT * INTO ended FROM ${hold} AS known WHERE known.id = NEW.reference;
    shares := ${returnLots}(NEW.account_id, NEW.sequence, 'late', charge.sequence, -charge.amount, charge.lots, coalesce(ended.refunded, 0), NEW.amount, (
      SELECT own.posted - coalesce((SELECT sum(later.amount) FROM ${entry} AS later
                                     WHERE later.account_id = own.id AND later.sequence > NEW.sequence), 0)
        FROM ${account} AS own WHERE own.id = NEW.account_id)::bigint);
  END IF;
  IF shares IS NOT NULL THEN
    UPDATE ${entry} AS known SET lots = shares WHERE known.account_id = NEW.account_id AND known.sequence = NEW.sequence;
  END IF;
  RETURN NULL;
END $body$`;
}

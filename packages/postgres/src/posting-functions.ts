import { shareOf } from "./lot-functions.ts";
import type { Tables } from "./schema.ts";

/** The functions that post what the host asks for. Their outcomes are those of the port. */
export function postingFunctions(tables: Tables): readonly string[] {
  return [postFunction(tables), refundFunction(tables)];
}

/**
 * Posts a credit or debit. `of_money` is "granted" for such a credit, "paid" for a debit of paid money alone, and NULL for
 * others. Returns the account after it, and the part that was posted.
 */
function postFunction(tables: Tables): string {
  const { account, lot, entry, lockAccount, lapseLots, postAmount } = tables;
  const find = `SELECT * INTO earlier FROM ${entry} AS posting WHERE posting.reference = of_id AND posting.kind IN ('credit', 'debit')`;
  return `CREATE FUNCTION ${postAmount}(
  of_account text, of_kind text, wanted bigint, of_id text, of_reason text, of_money text, until timestamptz,
  OUT outcome text, OUT own ${account}, OUT part bigint
) LANGUAGE plpgsql AS $body$
DECLARE
  earlier ${entry};
  granted numeric;
  shares jsonb;
  place bigint;
BEGIN
  -- Looked for twice: before the lock, so that a conflict creates no account, and after it.
  ${find};
  IF earlier.account_id IS NULL OR earlier.account_id = of_account THEN
    own := ${lapseLots}(${lockAccount}(of_account));
    ${find};
  END IF;
  IF earlier.account_id IS NOT NULL THEN
    outcome := CASE WHEN (earlier.account_id, earlier.kind, coalesce(earlier.asked, abs(earlier.amount)), earlier.reason)
                       = (of_account, of_kind, wanted, of_reason)
                     AND earlier.money IS NOT DISTINCT FROM of_money AND earlier.expires_at IS NOT DISTINCT FROM until
                    THEN 'repeated' ELSE 'conflict' END;
    part := abs(earlier.amount);
    RETURN;
  END IF;
  outcome := 'posted';
  part := wanted;
  IF of_kind = 'debit' AND of_money = 'paid' THEN
    SELECT coalesce(sum(left_over.rest), 0) INTO granted
      FROM ${lot} AS left_over WHERE left_over.account_id = of_account AND left_over.kind = 'granted';
    part := least(wanted, greatest(own.posted, 0) - granted);
  END IF;
  ${writePosting(tables)}
END $body$`;
}

/** Writes the entry of a new posting and its lot, and moves the account. */
function writePosting({ account, lot, entry, noteLots, takeLots }: Tables): string {
  return `own.posted := own.posted + CASE of_kind WHEN 'credit' THEN part ELSE -part END;
  IF of_kind = 'debit' THEN
    shares := ${takeLots}(of_account, part, of_money);
  ELSIF (of_money IS NOT NULL OR until IS NOT NULL) AND own.posted > 0 THEN
    shares := jsonb_build_array(${shareOf("of_id", "coalesce(of_money, 'paid')", "least(part, own.posted)", "until")});
  END IF;
  INSERT INTO ${entry} AS posting (account_id, kind, amount, reference, reason, lots, money, expires_at, asked, uncounted)
  VALUES (of_account, of_kind, CASE of_kind WHEN 'credit' THEN part ELSE -part END, of_id, of_reason, shares, of_money, until,
          CASE WHEN of_kind = 'debit' AND of_money = 'paid' THEN wanted END, NULL)
  RETURNING sequence INTO place;
  IF of_kind = 'credit' AND shares IS NOT NULL THEN
    INSERT INTO ${lot} (account_id, id, kind, rest, expires_at, sequence)
    VALUES (of_account, of_id, coalesce(of_money, 'paid'), least(part, own.posted), until, place);
    PERFORM ${noteLots}(of_account);
  END IF;
  UPDATE ${account} AS known
     SET posted = own.posted, funded = known.funded - known.posted + own.posted,
         credited = known.credited + CASE WHEN of_kind = 'credit' THEN part WHEN of_money = 'paid' THEN -part ELSE 0 END
   WHERE known.id = of_account;`;
}

/**
 * Refunds the charge with a sequence number, all of it if `wanted` is NULL. A late settlement can have returned a part of an
 * expiry before.
 */
function refundFunction(tables: Tables): string {
  const { account, hold, entry, lockAccount, lapseLots, refundCharge } = tables;
  return `CREATE FUNCTION ${refundCharge}(
  of_account text, charge bigint, wanted bigint, of_reason text,
  OUT outcome text, OUT own ${account}, OUT part bigint
) LANGUAGE plpgsql AS $body$
DECLARE
  charged ${entry};
  ended ${hold};
  earlier ${entry};
  rest bigint;
  place bigint;
  shares jsonb;
BEGIN
  SELECT * INTO charged FROM ${entry} AS entry
   WHERE entry.account_id = of_account AND entry.sequence = charge AND entry.kind IN ('charge', 'expiry', 'late')
     AND entry.amount < 0;
  IF NOT FOUND THEN
    outcome := 'unknown';
    RETURN;
  END IF;
  own := ${lapseLots}(${lockAccount}(of_account));
  SELECT * INTO ended FROM ${hold} AS hold WHERE hold.id = charged.reference;
  SELECT * INTO earlier FROM ${entry} AS entry WHERE entry.reference = charge::text AND entry.kind = 'refund';
  rest := least(-charged.amount, greatest(ended.charged, ended.refunded));
  part := coalesce(wanted, rest);
  outcome := CASE WHEN part = earlier.amount THEN 'repeated'
                  WHEN earlier.amount IS NOT NULL OR part NOT BETWEEN 1 AND rest THEN 'conflict'
                  ELSE 'posted' END;
  IF outcome <> 'posted' THEN
    RETURN;
  END IF;
  ${writeRefund(tables)}
END $body$`;
}

/** Writes the entry of a refund and its lots, and moves the account, the key and the spend limits. */
function writeRefund({ account, hold, entry, spend, keyUsage, returnLots }: Tables): string {
  return `own.posted := own.posted + part;
  UPDATE ${account} AS known SET posted = own.posted WHERE known.id = of_account;
  INSERT INTO ${entry} (account_id, kind, amount, reference, reason, key_id, uncounted)
  VALUES (of_account, 'refund', part, charge::text, of_reason, charged.key_id, NULL) RETURNING sequence INTO place;
  shares := ${returnLots}(
    of_account, place, 'refund', charge, -charged.amount, charged.lots, -charged.amount - rest, part, own.posted);
  UPDATE ${entry} AS entry SET lots = shares
   WHERE entry.account_id = of_account AND entry.sequence = place AND shares IS NOT NULL;
  UPDATE ${hold} AS hold SET refunded = coalesce(hold.refunded, 0) + part WHERE hold.id = charged.reference;
  UPDATE ${keyUsage} AS known SET used = known.used - part
   WHERE known.key_id = charged.key_id AND known.account_id = of_account;
  UPDATE ${spend} AS known SET spent = known.spent - part, charged = known.charged - part
   WHERE known.id IN (ended.account_spend, ended.key_spend)
     AND (known.period = 'total'
          OR (known.starts_at AT TIME ZONE known.timezone + ('1 ' || known.period)::interval) AT TIME ZONE known.timezone
             > clock_timestamp());`;
}

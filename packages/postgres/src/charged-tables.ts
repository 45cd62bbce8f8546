import type { Tables } from "./schema.ts";

/** Adds the amounts that a flexible hold asks for, as text. NULL for other holds. */
export function flexibleHolds({ account, apiKey, hold, spend }: Tables): readonly string[] {
  return [
    // All that the migration changes, in the order in which running processes lock it, so that none waits for the other.
    `LOCK TABLE ${account}, ${apiKey}, ${hold}, ${spend} IN ACCESS EXCLUSIVE MODE`,
    `ALTER TABLE ${hold} ADD COLUMN asked text`,
  ];
}

/**
 * Lets notices count charges alone, and a low balance what is posted. `spent` of a window is what was
 * charged and is held. `low_balance` is the amount of the last hold, and `low_below` is set while what is posted is below it.
 * Triggers count charges and write the notices, in the transaction of whatever charges or posts, so that processes of older
 * versions do so too.
 */
export function chargedSpend(tables: Tables): readonly string[] {
  const { account, hold, spend, notice, writeNotices, noteLowBalance } = tables;
  return [
    `ALTER TABLE ${spend} ADD COLUMN charged numeric NOT NULL DEFAULT 0`,
    `UPDATE ${spend} AS spend SET charged = spent - coalesce((
       SELECT sum(part.amount)
         FROM (SELECT account_spend AS counter, amount FROM ${hold} WHERE state = 'pending'
               UNION ALL
               SELECT key_spend, amount FROM ${hold} WHERE state = 'pending') AS part
        WHERE part.counter = spend.id), 0)`,
    `DROP TRIGGER hold_noticed ON ${hold}`,
    `DROP TRIGGER charge_noticed ON ${hold}`,
    thresholdFunction(tables, "NEW.charged - OLD.charged"),
    `CREATE TRIGGER charge_noticed AFTER UPDATE OF charged ON ${hold} FOR EACH ROW
       WHEN (NEW.charged <> OLD.charged AND (NEW.account_spend IS NOT NULL OR NEW.key_spend IS NOT NULL))
       EXECUTE FUNCTION ${writeNotices}()`,
    `ALTER TABLE ${account} ADD COLUMN low_balance bigint`,
    `UPDATE ${account} SET low_balance = low_below, low_below = CASE WHEN posted < low_below THEN low_below END
      WHERE low_below IS NOT NULL`,
    `CREATE FUNCTION ${noteLowBalance}() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF NEW.posted < NEW.low_balance THEN
    -- What is posted stands in a column with the name that older versions read.
    INSERT INTO ${notice} (account_id, type, available, below)
    VALUES (NEW.id, 'balance.low', NEW.posted, NEW.low_balance);
    NEW.low_below := NEW.low_balance;
  ELSE
    NEW.low_below := NULL;
  END IF;
  RETURN NEW;
END $body$`,
    `CREATE TRIGGER posted_noticed BEFORE UPDATE OF posted ON ${account} FOR EACH ROW
       WHEN (NEW.posted <> OLD.posted AND (NEW.posted < NEW.low_balance) <> (NEW.low_below IS NOT NULL))
       EXECUTE FUNCTION ${noteLowBalance}()`,
  ];
}

/** The time zone of the limit that a notice is about. */
const zoneOfLimit = `CASE counter.scope WHEN 'key' THEN NEW.notices->>'keyZone'
                     ELSE CASE WHEN own.spend_limit IS NULL THEN NEW.notices->>'accountZone' ELSE own.spend_timezone END END`;

/**
 * The function that counts the change of what a hold charged, and writes the notices of thresholds. `more` is a further column
 * of a notice, and its value.
 */
export function thresholdFunction(
  { account, spend, notice, writeNotices }: Tables,
  change: string,
  more?: readonly [column: string, value: string],
): string {
  const columns = more === undefined ? "timezone" : `timezone, ${more[0]}`;
  const values =
    more === undefined
      ? zoneOfLimit
      : `${zoneOfLimit},
                ${more[1]}`;
  return `CREATE OR REPLACE FUNCTION ${writeNotices}() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  own ${account}%ROWTYPE;
  counter ${spend}%ROWTYPE;
  most numeric;
  step int;
BEGIN
  UPDATE ${spend} SET charged = charged + ${change} WHERE id IN (NEW.account_spend, NEW.key_spend);
  IF NEW.notices IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT * INTO own FROM ${account} WHERE id = NEW.account_id;
  FOR counter IN SELECT * FROM ${spend} WHERE id IN (NEW.account_spend, NEW.key_spend) ORDER BY scope LOOP
    most := CASE counter.scope WHEN 'key' THEN (NEW.notices->>'key')::bigint
                 ELSE coalesce(own.spend_limit, (NEW.notices->>'account')::bigint) END;
    FOR step IN SELECT jsonb_array_elements_text(NEW.notices->'thresholds')::int LOOP
      IF counter.charged * 100 >= most * step AND NOT step = ANY (counter.noticed) THEN
        counter.noticed := counter.noticed || step;
        INSERT INTO ${notice} (account_id, type, scope, key_id, threshold, spend_limit, period, ${columns}, spent, resets_at)
        VALUES (NEW.account_id, 'spend.threshold', counter.scope,
                CASE counter.scope WHEN 'key' THEN NEW.key_id END, step, most, counter.period,
                ${values},
                counter.charged,
                CASE WHEN counter.period <> 'total' THEN
                  (counter.starts_at AT TIME ZONE counter.timezone + ('1 ' || counter.period)::interval)
                    AT TIME ZONE counter.timezone END);
        UPDATE ${spend} SET noticed = counter.noticed WHERE id = counter.id;
      END IF;
    END LOOP;
  END LOOP;
  RETURN NULL;
END $body$`;
}

/** How the charge of a hold has changed, less what was refunded of it. */
export const chargeWithoutRefunds = "greatest(NEW.charged, NEW.refunded) - greatest(OLD.charged, OLD.refunded)";

/** The migration that lets a spend limit be of some models. They are a JSON array, also of the limit that a notice is about. */
export function limitedModels(tables: Tables): readonly string[] {
  const { account, notice } = tables;
  const models = `CASE counter.scope WHEN 'key' THEN NEW.notices->>'keyModels'
                     ELSE CASE WHEN own.spend_limit IS NULL THEN NEW.notices->>'accountModels' ELSE own.spend_models END END`;
  return [
    `ALTER TABLE ${account} ADD COLUMN spend_models text`,
    `ALTER TABLE ${notice} ADD COLUMN spend_models text`,
    thresholdFunction(tables, chargeWithoutRefunds, ["spend_models", models]),
  ];
}

/**
 * Lets the keys of a chain of rotations share their limits: the id of the first one, NULL for a key that
 * was not rotated. What they have spent is added up.
 */
export function keyLimits({ apiKey, spend, hold }: Tables): readonly string[] {
  const window = "period, timezone, starts_at";
  return [
    `ALTER TABLE ${apiKey} ADD COLUMN limits_id text COLLATE "C"`,
    `WITH RECURSIVE chain (id, first) AS (
       SELECT id, id FROM ${apiKey} AS api_key
        WHERE NOT EXISTS (SELECT 1 FROM ${apiKey} AS old WHERE old.id = api_key.rotated_from)
        UNION ALL
       SELECT api_key.id, chain.first FROM chain JOIN ${apiKey} AS api_key ON api_key.rotated_from = chain.id
     )
     UPDATE ${apiKey} AS api_key SET limits_id = chain.first FROM chain
      WHERE chain.id = api_key.id AND chain.first <> api_key.id`,
    `INSERT INTO ${spend} AS spend (scope, subject, ${window}, spent, charged)
     SELECT 'key', limits_id, ${window}, sum(spent), sum(charged)
       FROM ${spend} AS own JOIN ${apiKey} AS api_key ON api_key.id = own.subject
      WHERE own.scope = 'key' AND limits_id IS NOT NULL
      GROUP BY limits_id, ${window}
         ON CONFLICT (scope, subject, ${window})
         DO UPDATE SET spent = spend.spent + excluded.spent, charged = spend.charged + excluded.charged`,
    `UPDATE ${hold} AS hold SET key_spend = shared.id
       FROM ${spend} AS own JOIN ${apiKey} AS api_key ON api_key.id = own.subject
       JOIN ${spend} AS shared ON shared.subject = limits_id
        AND (shared.scope, shared.period, shared.timezone, shared.starts_at)
          = (own.scope, own.period, own.timezone, own.starts_at)
      WHERE own.scope = 'key' AND hold.key_spend = own.id AND hold.state IN ('pending', 'expired')`,
  ];
}

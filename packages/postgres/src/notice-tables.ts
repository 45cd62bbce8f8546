import type { Tables } from "./schema.ts";

/**
 * The migration that adds the outbox of notices. Triggers write them at the end of a statement, so in its transaction, and
 * cost nothing for holds without rules. `chargedSpend` replaces both the function and its triggers.
 */
export function noticeTables(tables: Tables): readonly string[] {
  const { account, hold, spend, notice, writeNotices } = tables;
  return [
    `ALTER TABLE ${hold} ADD COLUMN notices jsonb`,
    // The percentages that were noticed in the window, and the amount below which the balance was noticed.
    `ALTER TABLE ${spend} ADD COLUMN noticed int[] NOT NULL DEFAULT '{}'`,
    `ALTER TABLE ${account} ADD COLUMN low_below bigint`,
    `CREATE TABLE ${notice} (
       sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       id text COLLATE "C" NOT NULL UNIQUE DEFAULT gen_random_uuid()::text,
       account_id text NOT NULL,
       type text NOT NULL,
       at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
       due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       attempts int NOT NULL DEFAULT 0,
       delivered text NOT NULL DEFAULT '[]',
       scope text,
       key_id text,
       threshold int,
       spend_limit bigint,
       period text,
       timezone text,
       spent numeric,
       resets_at timestamptz,
       available numeric,
       below bigint
     )`,
    `CREATE INDEX notice_due ON ${notice} (due_at)`,
    noticeFunction(tables),
    `CREATE TRIGGER hold_noticed AFTER INSERT ON ${hold} FOR EACH ROW
       WHEN (NEW.notices IS NOT NULL) EXECUTE FUNCTION ${writeNotices}()`,
    `CREATE TRIGGER charge_noticed AFTER UPDATE OF charged ON ${hold} FOR EACH ROW
       WHEN (NEW.notices IS NOT NULL AND (NEW.charged > NEW.amount OR OLD.state = 'expired'))
       EXECUTE FUNCTION ${writeNotices}()`,
  ];
}

function noticeFunction({ account, spend, notice, writeNotices }: Tables): string {
  return `CREATE FUNCTION ${writeNotices}() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  own ${account}%ROWTYPE;
  counter ${spend}%ROWTYPE;
  most numeric;
  step int;
BEGIN
  SELECT * INTO own FROM ${account} WHERE id = NEW.account_id;
  FOR counter IN SELECT * FROM ${spend} WHERE id IN (NEW.account_spend, NEW.key_spend) ORDER BY scope LOOP
    most := CASE counter.scope WHEN 'key' THEN (NEW.notices->>'key')::bigint
                 ELSE coalesce(own.spend_limit, (NEW.notices->>'account')::bigint) END;
    FOR step IN SELECT jsonb_array_elements_text(NEW.notices->'thresholds')::int LOOP
      IF counter.spent * 100 >= most * step AND NOT step = ANY (counter.noticed) THEN
        counter.noticed := counter.noticed || step;
        INSERT INTO ${notice} (account_id, type, scope, key_id, threshold, spend_limit, period, timezone, spent, resets_at)
        VALUES (NEW.account_id, 'spend.threshold', counter.scope,
                CASE counter.scope WHEN 'key' THEN NEW.key_id END, step, most, counter.period,
                CASE counter.scope WHEN 'key' THEN NEW.notices->>'keyZone'
                     ELSE CASE WHEN own.spend_limit IS NULL THEN NEW.notices->>'accountZone' ELSE own.spend_timezone END END,
                counter.spent,
                CASE WHEN counter.period <> 'total' THEN
                  (counter.starts_at AT TIME ZONE counter.timezone + ('1 ' || counter.period)::interval)
                    AT TIME ZONE counter.timezone END);
        UPDATE ${spend} SET noticed = counter.noticed WHERE id = counter.id;
      END IF;
    END LOOP;
  END LOOP;
  IF own.low_below IS NULL AND own.posted - own.held < (NEW.notices->>'lowBalance')::bigint THEN
    INSERT INTO ${notice} (account_id, type, available, below)
    VALUES (NEW.account_id, 'balance.low', own.posted - own.held, (NEW.notices->>'lowBalance')::bigint);
    UPDATE ${account} SET low_below = (NEW.notices->>'lowBalance')::bigint WHERE id = NEW.account_id;
  END IF;
  RETURN NULL;
END $body$`;
}

/** The migration that adds the amounts that a flexible hold asks for, as text. NULL for other holds. */
export const flexibleHolds = `
  ALTER TABLE tollgate_hold ADD COLUMN asked TEXT;
`;

/**
 * The migration by which notices count charges alone. `spent` of a window is what was charged and is held. `low_balance` is
 * the amount of the last hold, and `low_below` is now set while what is posted is below it.
 */
export const chargedSpend = `
  ALTER TABLE tollgate_spend ADD COLUMN charged INTEGER NOT NULL DEFAULT 0;
  UPDATE tollgate_spend SET charged = spent - (
    SELECT coalesce(sum(amount), 0) FROM tollgate_hold
     WHERE state = 'pending' AND tollgate_spend.id IN (account_spend, key_spend));

  ALTER TABLE tollgate_account ADD COLUMN low_balance INTEGER;
  UPDATE tollgate_account SET low_balance = low_below, low_below = CASE WHEN posted < low_below THEN low_below END;
`;

/**
 * The migration by which the keys of a chain of rotations share their limits: the id of the first one, NULL for a key that
 * was not rotated. What they have spent is added up.
 */
export const keyLimitsColumn = `
  ALTER TABLE tollgate_key ADD COLUMN limits_id TEXT;
  WITH RECURSIVE chain (id, first) AS (
    SELECT id, id FROM tollgate_key
     WHERE rotated_from IS NULL OR rotated_from NOT IN (SELECT id FROM tollgate_key)
     UNION ALL
    SELECT tollgate_key.id, chain.first FROM chain JOIN tollgate_key ON tollgate_key.rotated_from = chain.id
  )
  UPDATE tollgate_key SET limits_id = (SELECT first FROM chain WHERE chain.id = tollgate_key.id)
   WHERE rotated_from IS NOT NULL;

  INSERT INTO tollgate_spend (scope, subject, period, timezone, starts_at, spent, charged)
  SELECT 'key', limits_id, period, timezone, starts_at, sum(spent), sum(charged)
    FROM tollgate_spend JOIN tollgate_key ON tollgate_key.id = subject
   WHERE scope = 'key' AND limits_id <> subject
   GROUP BY limits_id, period, timezone, starts_at
      ON CONFLICT DO UPDATE SET spent = spent + excluded.spent, charged = charged + excluded.charged;
  UPDATE tollgate_hold SET key_spend = (
    SELECT shared.id
      FROM tollgate_spend AS own JOIN tollgate_key ON tollgate_key.id = own.subject
      JOIN tollgate_spend AS shared ON shared.subject = limits_id
       AND (shared.scope, shared.period, shared.timezone, shared.starts_at)
         = (own.scope, own.period, own.timezone, own.starts_at)
     WHERE own.id = key_spend)
   WHERE key_spend IN (
    SELECT own.id FROM tollgate_spend AS own JOIN tollgate_key ON tollgate_key.id = own.subject
     WHERE own.scope = 'key' AND limits_id <> own.subject);
`;

import type { Tables } from "./schema.ts";

// Times are whole milliseconds since the Unix epoch, and amounts are doubles, as the limiter in memory computes with them.
/** The time now, also for a statement that has waited. */
export const clock = "floor(date_part('epoch', clock_timestamp()) * 1000)";

/** Bounds what is carried, so that the end of the last window is a date. */
const maxWindows = 1_000_000;

/** How long a settlement adds what was used beyond its reservation, also after the window has ended. */
const settledWithinMs = 3_600_000;

/**
 * The migration that adds the limits. The tables are not logged: a commit does not wait for the disk, and a crash of the
 * server empties them, so that all limits start again.
 */
export function limitTables(tables: Tables): readonly string[] {
  const { requestWindow, limitSubject, limitReservation } = tables;
  // Free space in each page, so that an update, which changes no indexed column, stays in its page.
  const updated = "WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)";
  return [
    `CREATE UNLOGGED TABLE ${requestWindow} (
       subject uuid NOT NULL,
       window_seconds int NOT NULL,
       request_limit bigint NOT NULL,
       requests bigint NOT NULL,
       resets_at bigint NOT NULL,
       PRIMARY KEY (subject, window_seconds, request_limit)
     ) ${updated}`,
    `CREATE INDEX request_window_ended ON ${requestWindow} (resets_at)`,
    // `slots` counts the reservations with a lease, of which none ends before `leases_end_at`.
    `CREATE UNLOGGED TABLE ${limitSubject} (
       subject uuid PRIMARY KEY,
       window_number bigint NOT NULL DEFAULT 0,
       window_seconds int NOT NULL DEFAULT 0,
       resets_at bigint NOT NULL DEFAULT 0,
       used double precision NOT NULL DEFAULT 0,
       slots int NOT NULL DEFAULT 0,
       leases_end_at bigint NOT NULL DEFAULT 0,
       expires_at bigint NOT NULL DEFAULT 0
     ) ${updated}`,
    `CREATE INDEX limit_subject_expired ON ${limitSubject} (expires_at)`,
    `CREATE UNLOGGED TABLE ${limitReservation} (
       subject uuid NOT NULL,
       id uuid NOT NULL,
       tokens double precision,
       window_number bigint NOT NULL,
       lease_ends_at bigint,
       expires_at bigint NOT NULL,
       PRIMARY KEY (subject, id)
     ) WITH (autovacuum_vacuum_scale_factor = 0.02)`,
    `CREATE INDEX limit_reservation_expired ON ${limitReservation} (expires_at)`,
    lockFunction(tables),
    reserveFunction(tables),
    settleFunction(tables),
  ];
}

/** Locks the row of a subject, and creates it if it does not exist. Every other function does this first. */
function lockFunction({ limitSubject, lockLimits }: Tables): string {
  return `CREATE FUNCTION ${lockLimits}(of_subject uuid) RETURNS ${limitSubject} LANGUAGE plpgsql AS $body$
DECLARE
  own ${limitSubject};
BEGIN
  LOOP
    SELECT * INTO own FROM ${limitSubject} AS known WHERE known.subject = of_subject FOR UPDATE;
    IF FOUND THEN
      RETURN own;
    END IF;
    INSERT INTO ${limitSubject} (subject) VALUES (of_subject) ON CONFLICT DO NOTHING;
  END LOOP;
END $body$`;
}

/**
 * Reserves tokens and a slot, or neither. NULL as `wanted` or `slot_limit` means that there is no such limit. Returns
 * `refused_by` if it is refused. Each statement of a function sees what was committed before it, so all after the first see
 * the state that the lock protects.
 */
function reserveFunction(tables: Tables): string {
  const { limitSubject, limitReservation, lockLimits, reserveLimits } = tables;
  return `CREATE FUNCTION ${reserveLimits}(
  of_subject uuid, of_id uuid, lease_ms double precision, slot_limit double precision,
  wanted double precision, token_limit double precision, seconds int,
  OUT refused_by text, OUT remaining double precision, OUT resets_at double precision, OUT now double precision
) LANGUAGE plpgsql AS $body$
DECLARE
  own ${limitSubject} := ${lockLimits}(of_subject);
  length double precision := seconds * 1000;
  running boolean;
  carried double precision;
BEGIN
  now := ${clock};
  IF wanted IS NOT NULL THEN
    running := own.window_seconds = seconds AND own.resets_at > now;
    IF own.window_seconds <> seconds THEN
      -- A window of another length does not count, since the limit was changed.
      own.used := 0;
      own.resets_at := now + length;
    END IF;
    carried := ${usedNow("length")};
    IF token_limit <= 0 OR carried + wanted > token_limit THEN
      refused_by := 'tokens';
      remaining := greatest(0, token_limit - carried);
      resets_at := ${fitsAt};
    END IF;
  END IF;
  IF refused_by IS NULL AND own.slots >= slot_limit THEN
    IF own.leases_end_at <= now THEN
      ${dropEndedLeases(tables)}
    END IF;
    IF own.slots >= slot_limit THEN
      refused_by := 'concurrency';
      remaining := 0;
      resets_at := now + 1000;
    END IF;
  END IF;
  IF refused_by IS NOT NULL THEN
    -- A call is repeated if its answer was lost, and then it was granted.
    IF EXISTS (SELECT FROM ${limitReservation} AS known WHERE known.subject = of_subject AND known.id = of_id) THEN
      refused_by := NULL;
    END IF;
    RETURN;
  END IF;
  IF wanted IS NOT NULL THEN
    own.used := least(carried + wanted, token_limit * ${maxWindows});
    IF NOT running THEN
      ${openWindow}
    END IF;
  END IF;
  ${storeReservation(tables)}
END $body$`;
}

/** Stores a reservation and what it takes, unless it was granted before. */
function storeReservation(tables: Tables): string {
  return `INSERT INTO ${tables.limitReservation} (subject, id, tokens, window_number, lease_ends_at, expires_at)
  VALUES (of_subject, of_id, wanted, own.window_number, CASE WHEN slot_limit IS NOT NULL THEN now + lease_ms END,
          greatest(now + lease_ms, now + ${settledWithinMs}, CASE WHEN wanted IS NOT NULL THEN own.resets_at END))
      ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF slot_limit IS NOT NULL THEN
    own.leases_end_at := CASE WHEN own.slots = 0 THEN now + lease_ms ELSE least(own.leases_end_at, now + lease_ms) END;
    own.slots := own.slots + 1;
  END IF;
  ${storeSubject(tables, `greatest(now + ${settledWithinMs}, ${paidOffAt})`)}`;
}

/**
 * Releases the slot and corrects the tokens, once; with NULL as the `token_limit` only the slot. With NULL as `tokens_used`,
 * the reserved tokens count as used.
 */
function settleFunction(tables: Tables): string {
  const { limitSubject, limitReservation, lockLimits, settleLimits } = tables;
  return `CREATE FUNCTION ${settleLimits}(
  of_subject uuid, of_id uuid, tokens_used double precision, token_limit double precision, seconds int
) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  own ${limitSubject} := ${lockLimits}(of_subject);
  now double precision := ${clock};
  length double precision := seconds * 1000;
  taken ${limitReservation};
  beyond double precision;
BEGIN
  DELETE FROM ${limitReservation} AS known
   WHERE known.subject = of_subject AND known.id = of_id AND (token_limit IS NOT NULL OR known.tokens IS NULL)
  RETURNING * INTO taken;
  IF taken.lease_ends_at IS NOT NULL THEN
    own.slots := own.slots - 1;
  ELSIF token_limit IS NULL THEN
    UPDATE ${limitReservation} AS known SET lease_ends_at = NULL
     WHERE known.subject = of_subject AND known.id = of_id AND known.lease_ends_at IS NOT NULL;
    own.slots := own.slots - CASE WHEN FOUND THEN 1 ELSE 0 END;
  END IF;
  beyond := tokens_used - taken.tokens;
  IF beyond > 0 AND own.resets_at <= now THEN
    own.used := ${usedNow("own.window_seconds * 1000")};
    ${openWindow}
  END IF;
  -- A refund changes only the window that was charged.
  IF beyond > 0 OR own.window_number = taken.window_number AND beyond < 0 THEN
    own.used := least(own.used + beyond, token_limit * ${maxWindows});
  END IF;
  ${storeSubject(tables, paidOffAt)}
END $body$`;
}

/** What counts of the last window: what was used, or after its end what it carries into the next one. */
const usedNow = (length: string): string => `CASE WHEN own.resets_at > now THEN own.used
      ELSE greatest(0, own.used - (1 + floor((now - own.resets_at) / (${length}))) * token_limit) END`;

/** The end of the first window in which the wanted tokens fit. */
const fitsAt = `CASE WHEN token_limit > 0 THEN own.resets_at
        + (greatest(1, ceil((own.used + wanted - token_limit) / token_limit)) - 1) * length
      WHEN running THEN own.resets_at ELSE now + length END`;

const openWindow = `own.window_number := own.window_number + 1;
      own.window_seconds := seconds;
      own.resets_at := now + length;`;

/** The end of the last window into which the current one carries tokens. */
const paidOffAt =
  "own.resets_at + greatest(0, ceil(own.used / nullif(token_limit, 0)) - 1) * own.window_seconds * 1000";

/** Leases that ended are dropped only now: until another reservation needs the slot, a late renewal restores it. */
function dropEndedLeases({ limitSubject, limitReservation }: Tables): string {
  return `UPDATE ${limitReservation} AS known SET lease_ends_at = NULL
     WHERE known.subject = of_subject AND known.lease_ends_at <= now;
    SELECT count(*), coalesce(min(known.lease_ends_at), 0) INTO own.slots, own.leases_end_at
      FROM ${limitReservation} AS known WHERE known.subject = of_subject AND known.lease_ends_at IS NOT NULL;
    UPDATE ${limitSubject} AS known SET slots = own.slots, leases_end_at = own.leases_end_at
     WHERE known.subject = of_subject;`;
}

/** Stores the row of the subject. Its expiry is indexed, so it is set an hour too late, and changes once an hour at most. */
function storeSubject({ limitSubject }: Tables, neededUntil: string): string {
  return `UPDATE ${limitSubject} AS known
     SET window_number = own.window_number, window_seconds = own.window_seconds, resets_at = own.resets_at,
         used = own.used, slots = own.slots, leases_end_at = own.leases_end_at,
         expires_at = CASE WHEN known.expires_at >= ${neededUntil} THEN known.expires_at
                           ELSE ${neededUntil} + ${settledWithinMs} END
   WHERE known.subject = of_subject;`;
}

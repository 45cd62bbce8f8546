import type { Tables } from "./schema.ts";

/**
 * The functions that lots share. Each runs after the row of the account was locked. A statement of a function sees what was
 * committed before it, so all after the lock see the state that the lock protects.
 */
export function lotFunctions(tables: Tables): readonly string[] {
  return [lockFunction(tables), noteFunction(tables), takeFunction(tables), returnFunction(tables)];
}

/** Locks the row of an account, and creates it if it does not exist. */
function lockFunction({ account, lockAccount }: Tables): string {
  return `CREATE FUNCTION ${lockAccount}(of_account text) RETURNS ${account} LANGUAGE plpgsql AS $body$
DECLARE
  own ${account};
BEGIN
  LOOP
    SELECT * INTO own FROM ${account} AS known WHERE known.id = of_account FOR UPDATE;
    IF FOUND THEN
      RETURN own;
    END IF;
    INSERT INTO ${account} (id) VALUES (of_account) ON CONFLICT DO NOTHING;
  END LOOP;
END $body$`;
}

/** Notes in the row of an account when its next lot expires. */
function noteFunction({ account, lot, noteLots }: Tables): string {
  return `CREATE FUNCTION ${noteLots}(of_account text) RETURNS void LANGUAGE sql AS $body$
  UPDATE ${account} AS own SET next_lapse = lots.next_lapse
    FROM (SELECT min(coalesce(expires_at, 'infinity')) AS next_lapse
            FROM ${lot} WHERE account_id = of_account AND NOT is_empty) AS lots
   WHERE own.id = of_account AND own.next_lapse IS DISTINCT FROM lots.next_lapse
$body$`;
}

/**
 * Takes an amount from the lots: from the next to expire, then from granted ones, in the order of their credits. With a kind,
 * from lots of that kind alone. Returns what each paid. The rest is taken from paid money that does not expire.
 */
function takeFunction({ lot, noteLots, takeLots }: Tables): string {
  return `CREATE FUNCTION ${takeLots}(of_account text, cost bigint, of_kind text) RETURNS jsonb LANGUAGE plpgsql AS $body$
DECLARE
  own ${lot};
  part bigint;
  shares jsonb := '[]';
BEGIN
  FOR own IN SELECT * FROM ${lot} AS known
              WHERE known.account_id = of_account AND NOT known.is_empty AND (of_kind IS NULL OR known.kind = of_kind)
              ORDER BY known.expires_at, known.sequence LOOP
    EXIT WHEN cost = 0;
    part := least(own.rest, cost);
    cost := cost - part;
    UPDATE ${lot} AS known SET rest = known.rest - part WHERE known.account_id = of_account AND known.id = own.id;
    shares := shares || ${shareOf("own.id", "own.kind", "part", "own.expires_at")};
  END LOOP;
  PERFORM ${noteLots}(of_account);
  RETURN nullif(shares, '[]');
END $body$`;
}

/**
 * Returns to the lots what a charge took, whose entry has the shares `taken`, as `returnToLots` of core computes it. What was
 * taken last is returned first, and `before` of it was returned before. It pays a negative balance first: the lots together never
 * have more than is posted. What came from lots that have expired is granted for 7 days, as another lot, whose id begins with
 * `cause`. A lot keeps its place in the order. Returns what each lot received.
 */
function returnFunction({ lot, noteLots, returnLots }: Tables): string {
  return `CREATE FUNCTION ${returnLots}(
  of_account text, place bigint, cause text, charge bigint, charged bigint, taken jsonb, before bigint, back bigint, after bigint
) RETURNS jsonb LANGUAGE plpgsql AS $body$
DECLARE
  own record;
  part bigint;
  again bigint := 0;
  room numeric;
  until timestamptz := date_trunc('milliseconds', clock_timestamp()) + interval '168 hours';
  shares jsonb := '[]';
BEGIN
  SELECT greatest(after, 0) - coalesce(sum(known.rest), 0) INTO room FROM ${lot} AS known WHERE known.account_id = of_account;
  FOR own IN SELECT share->>'lot' AS id, share->>'kind' AS kind, (share->>'amount')::bigint AS amount,
                    (share->>'expiresAt')::timestamptz AS expires_at, turn
               FROM jsonb_array_elements(taken) WITH ORDINALITY AS of_lot (share, turn)
              UNION ALL
             -- Paid money that does not expire was taken last.
             SELECT NULL, NULL, charged - coalesce(sum((share->>'amount')::bigint), 0), NULL, NULL
               FROM jsonb_array_elements(taken) AS share
              ORDER BY turn DESC NULLS FIRST LOOP
    part := least(own.amount, before);
    before := before - part;
    part := least(own.amount - part, back);
    back := back - part;
    CONTINUE WHEN own.id IS NULL;
    part := least(part, room);
    room := room - part;
    IF own.expires_at <= clock_timestamp() THEN
      again := again + part;
    ELSIF part > 0 THEN
      UPDATE ${lot} AS known SET rest = known.rest + part WHERE known.account_id = of_account AND known.id = own.id;
      shares := shares || ${shareOf("own.id", "own.kind", "part", "own.expires_at")};
    END IF;
  END LOOP;
  IF again > 0 THEN
    INSERT INTO ${lot} (account_id, id, kind, rest, expires_at, sequence)
    VALUES (of_account, cause || ':' || charge, 'granted', again, until, place);
    shares := shares || ${shareOf("cause || ':' || charge", "'granted'", "again", "until")};
  END IF;
  PERFORM ${noteLots}(of_account);
  RETURN nullif(shares, '[]');
END $body$`;
}

/** A time as core writes it to JSON. */
export const isoTime = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A share of a lot, as core reads it from an entry. */
export const shareOf = (id: string, kind: string, amount: string, expiresAt: string): string =>
  `jsonb_strip_nulls(jsonb_build_object('lot', ${id}, 'kind', ${kind}, 'amount', ${amount}::text, 'expiresAt', ${isoTime(expiresAt)}))`;

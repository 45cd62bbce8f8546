import type { Tables } from "../schema.ts";
import { unfenced } from "./fencing.ts";
import { fitting } from "./fitting.ts";
import { leaseEnd } from "./hold.ts";
import { millisecondsOf } from "./times.ts";

const now = "date_trunc('milliseconds', clock_timestamp())";

/** A condition: the row is the response $1 of account $2 and has not expired, by the clock and not by the statement's start. */
const isKnown = "response.id = $1 AND response.account_id = $2 AND response.expires_at > clock_timestamp()";

/**
 * Saves the response $1 of account $2: $3 the response that it continues, $4 its JSON, $5 time to live in milliseconds, $6
 * the most bytes of the account, $7 and $8 the ids and the JSON of its items, of which the first $9 are the input. Returns
 * one row with its `outcome`: `saved`, also if the account has a response with this id; `taken` if another one has;
 * `full`. A concurrent save with the same id fails with a unique violation.
 */
export function saveResponseStatement({ response, responseItem, responseAccount }: Tables): string {
  return `
WITH same AS MATERIALIZED (
  SELECT account_id FROM ${response} WHERE id = $1
), given AS MATERIALIZED (
  SELECT id, item, place FROM unnest($7::text[], $8::text[]) WITH ORDINALITY AS given (id, item, place)
), size AS MATERIALIZED (
  SELECT count(*) AS items, coalesce(sum(octet_length(item)), 0)::bigint AS item_bytes FROM given
), counted AS (
  INSERT INTO ${responseAccount} AS account (account_id, bytes)
  SELECT $2, octet_length($4::text) + size.item_bytes FROM size
   WHERE NOT EXISTS (SELECT 1 FROM same) AND octet_length($4::text) + size.item_bytes <= $6::bigint
      ON CONFLICT (account_id) DO UPDATE SET bytes = account.bytes + excluded.bytes
   WHERE account.bytes + excluded.bytes <= $6::bigint
  RETURNING account.account_id
), made AS (
  INSERT INTO ${response}
         (id, account_id, previous_id, response, items, item_bytes, bytes, created_at, expires_at)
  SELECT $1, counted.account_id, $3, $4, size.items, size.item_bytes, octet_length($4::text) + size.item_bytes,
         ${now}, ${leaseEnd("$5::bigint")}
    FROM counted, size
  RETURNING id, account_id
), written AS (
  INSERT INTO ${responseItem} (response_id, place, kind, account_id, item_id, item)
  SELECT made.id, given.place, CASE WHEN given.place <= $9::bigint THEN 'input' ELSE 'output' END,
         made.account_id, given.id, given.item
    FROM made, given
)
SELECT CASE WHEN EXISTS (SELECT 1 FROM made) OR EXISTS (SELECT 1 FROM same WHERE account_id = $2) THEN 'saved'
            WHEN EXISTS (SELECT 1 FROM same) THEN 'taken'
            ELSE 'full' END AS outcome`;
}

/** Selects the response $1 of account $2. */
export function findResponseStatement({ response }: Tables): string {
  return `
SELECT response.id, response.account_id, response.previous_id, response.response,
       ${millisecondsOf("response.created_at")} AS created_at
  FROM ${response} AS response WHERE ${isKnown}`;
}

/** Selects the first $3 responses of account $1 after the id $2, in the order of their ids. */
export function listResponsesStatement({ response }: Tables): string {
  return `
SELECT response.id, response.account_id, response.previous_id, response.response,
       ${millisecondsOf("response.created_at")} AS created_at
  FROM ${response} AS response
 WHERE response.account_id = $1 AND response.id > $2 AND response.expires_at > clock_timestamp()
 ORDER BY response.id LIMIT $3::bigint`;
}

/**
 * Selects the items of the response $1 of account $2 and of those that it continues, oldest first, each with the `outcome`.
 * Without items it returns one row: `found`, `larger` with their `bytes` if they have more than $4, `too_long` if they
 * have more than $3, or `unknown` if a response that is continued is unknown. No row if the response itself is.
 */
export function conversationStatement({ response, responseItem }: Tables): string {
  return `
WITH RECURSIVE chain (sequence, id, previous_id, bytes) AS (
  SELECT response.sequence, response.id, response.previous_id, response.item_bytes
    FROM ${response} AS response WHERE ${isKnown}
   UNION ALL
  -- A response continues only older ones, so a chain of ids cannot be endless.
  SELECT older.sequence, older.id, older.previous_id, chain.bytes + older.item_bytes
    FROM chain JOIN ${response} AS older ON older.id = chain.previous_id
   WHERE older.account_id = $2 AND older.expires_at > clock_timestamp() AND older.sequence < chain.sequence
     AND chain.bytes <= $3::bigint
), verdict AS MATERIALIZED (
  SELECT CASE WHEN bytes > $3::bigint THEN 'too_long' WHEN previous_id IS NOT NULL THEN 'unknown'
              WHEN bytes > $4::bigint THEN 'larger' ELSE 'found' END AS outcome, bytes
    FROM chain ORDER BY sequence LIMIT 1
)
SELECT verdict.outcome, verdict.bytes::text, stored.item_id, stored.item
  FROM verdict
  LEFT JOIN LATERAL (
    SELECT chain.sequence, item.place, item.item_id, item.item
      -- With an offset, so that the items of each response are found by its id.
      FROM chain CROSS JOIN LATERAL (SELECT * FROM ${responseItem} AS known WHERE known.response_id = chain.id OFFSET 0) AS item
     WHERE verdict.outcome = 'found'
  ) AS stored ON true
 ORDER BY stored.sequence, stored.place`;
}

/**
 * Selects the first $4 input items of the response $1 of account $2 after the item $3 (null: from the first), limited to
 * $5 bytes (null: unlimited). Each row has the number `found`. Returns one row of NULLs without such items, and no row if
 * the response or the item $3 is unknown.
 */
export function inputAscendingStatement(tables: Tables): string {
  return inputStatement(tables, ">", "ASC");
}

/** Does the same from the last item to the first. */
export function inputDescendingStatement(tables: Tables): string {
  return inputStatement(tables, "<", "DESC");
}

function inputStatement({ response, responseItem }: Tables, after: "<" | ">", direction: "ASC" | "DESC"): string {
  return `
SELECT page.item_id, page.item, page.found
  FROM ${response} AS response
  JOIN LATERAL (
    SELECT NULL::integer AS place WHERE $3::text IS NULL
     UNION ALL
    SELECT item.place FROM ${responseItem} AS item
     WHERE item.response_id = response.id AND item.kind = 'input' AND item.item_id = $3::text
  ) AS start ON true
  LEFT JOIN LATERAL (
    ${fitting(
      `SELECT stored.place, stored.item_id, stored.item FROM ${responseItem} AS stored
        WHERE stored.response_id = response.id AND stored.kind = 'input'
          AND (start.place IS NULL OR stored.place ${after} start.place)
        ORDER BY stored.place ${direction} LIMIT $4::bigint`,
      "item",
      `row.place ${direction}`,
      "$5",
    )}
  ) AS page ON true
 WHERE ${isKnown}
 ORDER BY page.place ${direction}`;
}

/**
 * Selects the newest item of account $1 for each of the ids $2. Each row has the `outcome`: `found`; or, without items,
 * `larger` with their `bytes` if they have more than $4, or `too_long` if they have more than $3. Returns at least one row.
 */
export function itemsStatement({ response, responseItem }: Tables): string {
  return `
WITH newest AS MATERIALIZED (
  SELECT DISTINCT ON (item.item_id) item.response_id, item.place, octet_length(item.item) AS bytes
    FROM ${responseItem} AS item JOIN ${response} AS response ON response.id = item.response_id
   WHERE item.account_id = $1 AND item.item_id = ANY ($2::text[]) AND response.expires_at > clock_timestamp()
   ORDER BY item.item_id, response.sequence DESC, item.place DESC
), verdict AS MATERIALIZED (
  SELECT CASE WHEN size.bytes > $3::bigint THEN 'too_long' WHEN size.bytes > $4::bigint THEN 'larger'
              ELSE 'found' END AS outcome, size.bytes
    FROM (SELECT coalesce(sum(bytes), 0) AS bytes FROM newest) AS size
)
SELECT verdict.outcome, verdict.bytes::text, stored.item_id, stored.item
  FROM verdict
  LEFT JOIN LATERAL (
    SELECT item.item_id, item.item FROM newest JOIN ${responseItem} AS item USING (response_id, place)
     WHERE verdict.outcome = 'found'
  ) AS stored ON true`;
}

/**
 * Expires the response $1 of account $2, so that it is unknown from now on. $3 is the id of this call. Returns a row if
 * there was such a response, also if the call is repeated.
 */
export function endResponseStatement({ response }: Tables): string {
  return `
UPDATE ${response} AS response SET deletion = $3, expires_at = '-infinity'
 WHERE response.id = $1 AND response.account_id = $2
   AND (response.expires_at > clock_timestamp() OR response.deletion = $3)
RETURNING response.id`;
}

/** Deletes the response $1, which the call $2 has expired, with its items. */
export function removeResponseStatement({ response, responseAccount }: Tables): string {
  return `
WITH removed AS (
  DELETE FROM ${response} WHERE id = $1 AND deletion = $2 RETURNING account_id, bytes
)
UPDATE ${responseAccount} AS account SET bytes = greatest(account.bytes - removed.bytes, 0)
  FROM removed WHERE account.account_id = removed.account_id`;
}

/**
 * Deletes expired responses with their items, the longest overdue first: at most $1 responses, and no further one once $2
 * items or $3 bytes are exceeded. Returns one row with the number `expired`. Skips locked responses.
 */
export function expireResponsesStatement(tables: Tables): string {
  return removeDue(tables, `expires_at <= now() AND ${unfenced(tables, "response.account_id")}`);
}

/** Does the same for the responses of account $4. */
export function expireAccountResponsesStatement(tables: Tables): string {
  return removeDue(tables, "account_id = $4 AND expires_at <= clock_timestamp()");
}

/** Does the same for all responses of account $4, whether or not they have expired, and waits for locked ones. */
export function forgetResponsesStatement(tables: Tables): string {
  return removeDue(tables, "account_id = $4", "FOR UPDATE");
}

function removeDue({ response, responseAccount }: Tables, isDue: string, lock = "FOR UPDATE SKIP LOCKED"): string {
  return `
WITH due AS MATERIALIZED (
  SELECT id, expires_at, items, bytes
    FROM ${response} WHERE ${isDue} ORDER BY expires_at LIMIT $1::int ${lock}
), chosen AS MATERIALIZED (
  SELECT id, sum(items) OVER (ORDER BY expires_at, id) - items AS items_before,
         sum(bytes) OVER (ORDER BY expires_at, id) - bytes AS bytes_before
    FROM due
), expired AS (
  DELETE FROM ${response} AS response USING chosen
   WHERE response.id = chosen.id AND chosen.items_before <= $2::int AND chosen.bytes_before <= $3::bigint
  RETURNING response.account_id, response.bytes
), gone AS MATERIALIZED (
  SELECT account_id, count(*) AS responses, sum(bytes)::bigint AS bytes FROM expired GROUP BY account_id
), locked AS MATERIALIZED (
  -- Sorted, so that two concurrent sweeps do not deadlock.
  SELECT account.account_id FROM ${responseAccount} AS account
   WHERE account.account_id IN (SELECT account_id FROM gone) ORDER BY account.account_id FOR UPDATE
), counted AS (
  UPDATE ${responseAccount} AS account SET bytes = greatest(account.bytes - gone.bytes, 0)
    FROM gone, locked
   WHERE account.account_id = gone.account_id AND locked.account_id = gone.account_id
)
SELECT coalesce(sum(gone.responses), 0)::text AS expired FROM gone`;
}

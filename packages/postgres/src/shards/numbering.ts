import type { Tables } from "../schema.ts";
import { firstSequence, maxShards } from "./directory-tables.ts";

/**
 * The functions that number the rows of shards, so that no number occurs in two of them and a moved row keeps its own: each shard
 * begins with its number above {@link firstSequence}, and counts in steps of {@link maxShards}.
 */
export function numberingFunctions(tables: Tables): readonly string[] {
  const { entry, response, spend, numberRows, raiseNumbers } = tables;
  const numbered = [
    [entry, "sequence"],
    [response, "sequence"],
    [spend, "id"],
  ] as const;
  return [
    `CREATE FUNCTION ${numberRows}(shard int) RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  ${numbered
    .map(
      ([table, column]) =>
        `EXECUTE format('ALTER SEQUENCE %s INCREMENT BY ${maxShards} RESTART WITH %s', pg_get_serial_sequence('${table}', '${column}'), ${firstSequence} + shard);`,
    )
    .join("\n  ")}
END $body$`,
    `CREATE FUNCTION ${raiseNumbers}(of_table text, of_column text, above bigint, shard int) RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  numbers text := pg_get_serial_sequence(of_table, of_column);
  last bigint;
BEGIN
  EXECUTE format('SELECT last_value FROM %s', numbers) INTO last;
  IF above - last > ${maxShards}::bigint * ${safeSteps} THEN
    -- Far above what concurrent calls can reach, so none of them is given a number twice.
    PERFORM setval(numbers, above / ${maxShards} * ${maxShards} + shard);
  ELSIF above >= last THEN
    PERFORM nextval(numbers) FROM generate_series(0, (above - last) / ${maxShards});
  END IF;
END $body$`,
  ];
}

/** So many numbers no server gives away between two statements. */
const safeSteps = 1_000_000;

/** Numbers the rows of a new shard with the number $1. */
export const numberRowsStatement = ({ numberRows }: Tables): string => `SELECT ${numberRows}($1::int)::text`;

/**
 * Lets the next entries and responses of the shard with the number $1 have greater numbers than entry $2 and response $3, which
 * come from another shard. It waits for nobody.
 */
export const raiseNumbersStatement = ({ entry, response, raiseNumbers }: Tables): string =>
  `SELECT ${raiseNumbers}('${entry}', 'sequence', $2::bigint, $1::int)::text, ${raiseNumbers}('${response}', 'sequence', $3::bigint, $1::int)::text`;

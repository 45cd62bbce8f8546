import type { Tables } from "./schema.ts";

const id = `text COLLATE "C"`;

/** The migration that adds stored responses, their items, and the bytes that each account has of them. */
export function responseTables({ response, responseItem, responseAccount }: Tables): readonly string[] {
  return [
    // JSON is stored as text, so that it is returned unchanged. `deletion` is the id of the call that deletes the row.
    `CREATE TABLE ${response} (
       id ${id} PRIMARY KEY,
       sequence bigint GENERATED ALWAYS AS IDENTITY,
       account_id ${id} NOT NULL,
       previous_id ${id},
       response text NOT NULL,
       items integer NOT NULL,
       item_bytes bigint NOT NULL,
       bytes bigint NOT NULL,
       created_at timestamptz NOT NULL,
       expires_at timestamptz NOT NULL,
       deletion ${id}
     )`,
    `CREATE INDEX response_due ON ${response} (expires_at)`,
    `CREATE INDEX response_account_due ON ${response} (account_id, expires_at)`,
    // A foreign key: the items of a response must be deleted in the snapshot in which the response is.
    `CREATE TABLE ${responseItem} (
       response_id ${id} NOT NULL REFERENCES ${response} ON DELETE CASCADE,
       place integer NOT NULL,
       kind text COLLATE "C" NOT NULL CHECK (kind IN ('input', 'output')),
       account_id ${id} NOT NULL,
       item_id ${id} NOT NULL,
       item text NOT NULL,
       PRIMARY KEY (response_id, place)
     )`,
    `CREATE INDEX response_item_of_account ON ${responseItem} (account_id, item_id)`,
    `CREATE TABLE ${responseAccount} (
       account_id ${id} PRIMARY KEY,
       bytes bigint NOT NULL
     ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)`,
  ];
}

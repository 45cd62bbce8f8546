import type { Tables } from "../../schema.ts";
import { fencedTable } from "../fence-tables.ts";

const id = `text COLLATE "C"`;

/** The migration of a shard for moves. */
export const shardMoveTables = (tables: Tables): readonly string[] => [
  // Kept after a move, so that a process that was suspended since an older one can never change the account.
  `CREATE TABLE ${tables.shardMove} (account_id ${id} PRIMARY KEY, epoch bigint NOT NULL)`,
  // The holds of an account that no entry names. The others are found by its entries, and the pending ones are few.
  `CREATE INDEX hold_uncharged ON ${tables.hold} (account_id, ended_at, id) WHERE state <> 'pending' AND charged = 0`,
  ...fencedTable(tables, tables.payment, "account"),
  ...fencedTable(tables, tables.topUp, "account"),
];

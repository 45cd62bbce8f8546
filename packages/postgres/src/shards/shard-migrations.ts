import type { Migration } from "../migrations.ts";
import { fenceTables } from "./fence-tables.ts";
import { shardMoveTables } from "./move/shard-move-tables.ts";

/** The migrations of a shard, besides those of every database. A released migration never changes. */
export const shardMigrations: readonly Migration[] = [
  { name: "fences of accounts, and numbers of rows", statements: fenceTables },
  { name: "moves of accounts", statements: shardMoveTables },
];

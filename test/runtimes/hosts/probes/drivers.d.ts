declare module "node:sqlite" {
  export { DatabaseSync } from "@photostructure/sqlite";
}

declare module "bun:sqlite" {
  import type { SqliteDatabase } from "@tollgate/sqlite";

  export const Database: new (file: string) => SqliteDatabase;
}

import type { Row } from "./row.ts";

/** How large a row is that is not read yet: SQLite knows it without reading the text itself. */
export interface Sized {
  readonly bytes: number;
}

/** Reads the column `bytes`. */
export const toSized = (row: Row): Sized => ({ bytes: Number(row.integer("bytes")) });

import type { Row } from "./row.ts";

/** The size of a row, which SQLite returns without reading the text. */
export interface Sized {
  readonly bytes: number;
}

/** Reads the column `bytes`. */
export const toSized = (row: Row): Sized => ({ bytes: Number(row.integer("bytes")) });

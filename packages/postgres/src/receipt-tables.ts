import type { Tables } from "./schema.ts";

/**
 * The migration that adds receipts. The columns of a hold are copied to its entries. All are NULL in the rows of older
 * versions, and those of the charge also in expiries. Prices are in nano-units per million tokens, and `request_price` in
 * nano-units.
 */
export function receiptTables({ hold, entry }: Tables): readonly string[] {
  return [
    `ALTER TABLE ${hold} ADD COLUMN request_id text, ADD COLUMN model text, ADD COLUMN dialect text`,
    `ALTER TABLE ${entry}
       ADD COLUMN request_id text,
       ADD COLUMN model text,
       ADD COLUMN dialect text,
       ADD COLUMN key_id text,
       ADD COLUMN provider text,
       ADD COLUMN upstream_model text,
       ADD COLUMN basis text,
       ADD COLUMN status text,
       ADD COLUMN input_tokens bigint,
       ADD COLUMN cached_input_tokens bigint,
       ADD COLUMN cache_write_5m_tokens bigint,
       ADD COLUMN cache_write_1h_tokens bigint,
       ADD COLUMN output_tokens bigint,
       ADD COLUMN reasoning_tokens bigint,
       ADD COLUMN input_price bigint,
       ADD COLUMN cached_input_price bigint,
       ADD COLUMN cache_write_5m_price bigint,
       ADD COLUMN cache_write_1h_price bigint,
       ADD COLUMN output_price bigint,
       ADD COLUMN request_price bigint,
       ADD COLUMN duration_ms bigint`,
  ];
}

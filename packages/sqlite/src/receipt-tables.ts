/**
 * The migration that adds receipts. The columns of a hold are copied to its entries. All are NULL in the rows of older
 * versions, and those of the charge also in expiries. Prices are in nano-units per million tokens, and `request_price` in
 * nano-units.
 */
export const receiptTables = `
  ALTER TABLE tollgate_hold ADD COLUMN request_id TEXT;
  ALTER TABLE tollgate_hold ADD COLUMN model TEXT;
  ALTER TABLE tollgate_hold ADD COLUMN dialect TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN request_id TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN model TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN dialect TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN key_id TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN provider TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN upstream_model TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN basis TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN status TEXT;
  ALTER TABLE tollgate_entry ADD COLUMN input_tokens INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN cached_input_tokens INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN cache_write_5m_tokens INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN cache_write_1h_tokens INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN output_tokens INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN reasoning_tokens INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN input_price INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN cached_input_price INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN cache_write_5m_price INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN cache_write_1h_price INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN output_price INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN request_price INTEGER;
  ALTER TABLE tollgate_entry ADD COLUMN duration_ms INTEGER;
`;

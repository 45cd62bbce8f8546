/**
 * The migration that lets what the host wrote of a charge be erased, which is all that can be changed of an entry, and finds
 * the holds that have it.
 */
export const forgettableCharges = `
  CREATE INDEX tollgate_hold_described ON tollgate_hold (account) WHERE description IS NOT NULL;
  DROP TRIGGER tollgate_entry_unchanging;
  CREATE TRIGGER tollgate_entry_unchanging BEFORE UPDATE OF sequence, account, kind, amount, reference, reason, at, request_id,
      model, dialect, key_id, provider, upstream_model, basis, status, answer_id, input_tokens, cached_input_tokens,
      cache_write_5m_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, input_price, cached_input_price,
      cache_write_5m_price, cache_write_1h_price, output_price, request_price, duration_ms, tier, lots ON tollgate_entry
    BEGIN SELECT raise(ABORT, 'tollgate_entry is append-only: correct it with a credit or debit'); END;
`;

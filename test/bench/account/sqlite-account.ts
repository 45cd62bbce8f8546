import { sqliteBalanceStore } from "@tollgate/sqlite";
import { openSqliteYear } from "../usage/sqlite-year.ts";
import { type AccountYear, account, idsOfMiddle } from "./account-year.ts";

/** Opens the stores on a file of its own with a year of requests, and a charge for each request of the account. */
export function openSqliteAccount(rows: number): AccountYear {
  const { database, store: usage, close } = openSqliteYear(rows, { distribution: "skewed" });
  const balances = sqliteBalanceStore(database);
  database.exec(`
    BEGIN;
    INSERT INTO tollgate_account (id, posted) VALUES ('${account}', 1000000000);
    INSERT INTO tollgate_entry (account, kind, amount, reference, reason, at) VALUES ('${account}', 'credit', 1000000000, 'top-up', 'top-up', 0);
    INSERT INTO tollgate_entry (account, kind, amount, reference, at, request_id, model, dialect, key_id, provider, upstream_model,
      basis, status, answer_id, input_tokens, cached_input_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens,
      reasoning_tokens, input_price, cached_input_price, cache_write_5m_price, cache_write_1h_price, output_price, request_price, duration_ms)
    SELECT account, 'charge', -cost, id, at, request_id, model, dialect, key_id, provider, upstream_model, 'reported', 'complete',
           replace(answer_id, 'chatcmpl', 'charged'), input, 0, 0, 0, output, 0, 1, 1, 1, 1, 1, 1, duration_ms
      FROM tollgate_usage WHERE account = '${account}' ORDER BY at;
    COMMIT; ANALYZE`);
  const { requests } = database
    .prepare(`SELECT count(*) AS requests FROM tollgate_usage WHERE account = '${account}'`)
    .get();
  return { usage, balances, requests: Number(requests), ...idsOfMiddle(rows), databaseCpu: () => 0, close };
}

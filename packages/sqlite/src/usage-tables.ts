/** One count for each bucket of a histogram. A change of the bounds needs a new migration. */
const histogram = (prefix: string): string =>
  Array.from({ length: 21 }, (_, index) => `${prefix}${index} INTEGER NOT NULL`).join(", ");

/** The tables of usage: one row for each request, and totals by kind (dimension and length of bucket), start and name. */
export const usageTables = `
  CREATE TABLE tollgate_usage (
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    account TEXT NOT NULL,
    key_id TEXT NOT NULL,
    plan TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    dialect TEXT NOT NULL,
    model TEXT,
    provider TEXT,
    upstream_model TEXT,
    status INTEGER NOT NULL,
    error_code TEXT,
    ending TEXT NOT NULL,
    failed INTEGER NOT NULL CHECK (failed IN (0, 1)),
    input INTEGER NOT NULL,
    cached_input INTEGER NOT NULL,
    cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL,
    output INTEGER NOT NULL,
    reasoning INTEGER NOT NULL,
    estimated INTEGER NOT NULL CHECK (estimated IN (0, 1)),
    cost INTEGER NOT NULL,
    upstream_cost INTEGER,
    hold_id TEXT,
    duration_ms INTEGER NOT NULL,
    duration_bucket INTEGER NOT NULL,
    first_content_ms INTEGER,
    first_content_bucket INTEGER,
    attempts INTEGER NOT NULL,
    session_id TEXT,
    end_user TEXT,
    tags TEXT NOT NULL,
    timeline TEXT NOT NULL,
    PRIMARY KEY (id, at)
  ) STRICT;
  CREATE INDEX tollgate_usage_at ON tollgate_usage (at, id);
  CREATE INDEX tollgate_usage_account ON tollgate_usage (account, at, id);
  CREATE INDEX tollgate_usage_key ON tollgate_usage (key_id, at, id);
  CREATE INDEX tollgate_usage_request ON tollgate_usage (request_id);

  CREATE TABLE tollgate_usage_total (
    kind TEXT NOT NULL CHECK (kind IN (
      'model month', 'model day', 'model hour', 'account month', 'account day', 'key month', 'key day')),
    start INTEGER NOT NULL,
    name TEXT NOT NULL,
    requests INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    input INTEGER NOT NULL,
    cached_input INTEGER NOT NULL,
    cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL,
    output INTEGER NOT NULL,
    reasoning INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    upstream_cost INTEGER NOT NULL,
    cost_with_upstream INTEGER NOT NULL,
    ${histogram("duration_")},
    ${histogram("first_content_")},
    PRIMARY KEY (kind, start, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tollgate_usage_total_name ON tollgate_usage_total (kind, name, start);
`;

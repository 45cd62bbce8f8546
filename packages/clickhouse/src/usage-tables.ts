const histogram = (name: string): string[] => Array.from({ length: 21 }, (_, index) => `${name}_${index}`);

/** A released migration never changes, so these are not the columns that the store reads. */
const counts = [
  ...["requests", "failed", "refused"],
  ...["input", "cached_input", "cache_write_5m", "cache_write_1h", "output", "reasoning"],
  ...histogram("duration"),
  ...histogram("first_content"),
];
const amounts = ["cost", "upstream_cost", "cost_with_upstream"];
const filtered = ["name", "account_id", "key_id", "request_id", "answer_id", "session_id", "end_user", "tags"];

/** When the batches of inserts are removed. Their writers need them for seconds. */
export const ofBatches = "recorded_at + toIntervalDay(1) DELETE WHERE kind = 'batch'";

/**
 * The table of usage: the rows, and their totals by kind, start and name, which ClickHouse adds up when it merges parts. Rows and
 * totals share a table because an insert of one block is atomic, and one of two tables is not. `scope` is the account of totals of
 * an account, and the provider of attempts; a row has its id as its name. The block of a month counts its inserts, and each insert
 * has a batch, by which its writer finds out that it took effect.
 */
export const usageTable = (usage: string): string => `
CREATE TABLE IF NOT EXISTS ${usage} (
  kind LowCardinality(String),
  scope String,
  start DateTime64(3, 'UTC'),
  name String,
  ${counts.map((column) => `${column} Int64`).join(",\n  ")},
  ${amounts.map((column) => `${column} Int128`).join(",\n  ")},
  recorded_at DateTime DEFAULT now(),
  request_id String,
  account_id String,
  key_id String,
  plan LowCardinality(String),
  endpoint LowCardinality(String),
  dialect LowCardinality(String),
  model Nullable(String),
  provider Nullable(String),
  upstream_model Nullable(String),
  status UInt16,
  error_code Nullable(String),
  ending LowCardinality(String),
  estimated UInt8,
  has_upstream_cost UInt8,
  hold_id Nullable(String),
  duration_ms UInt64,
  first_content_ms Nullable(UInt64),
  attempts UInt32,
  attempts_by_target Nullable(String),
  answer_id Nullable(String),
  session_id Nullable(String),
  end_user Nullable(String),
  tags Array(String),
  timeline String,
  ${filtered.map((column) => `INDEX by_${column} ${column} TYPE bloom_filter(0.01) GRANULARITY 1`).join(",\n  ")}
)
ENGINE = SummingMergeTree((${[...counts, ...amounts].join(", ")}))
PARTITION BY toYYYYMM(start)
ORDER BY (kind, scope, start, name)
TTL ${ofBatches}
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1`;

/**
 * The table of content. Of several records of an id, merges keep the one with the highest precedence, which is the oldest.
 */
export const contentTable = (content: string): string => `
CREATE TABLE IF NOT EXISTS ${content} (
  id String,
  at DateTime64(3, 'UTC'),
  account String,
  key_id String,
  model String,
  request Nullable(String) CODEC(ZSTD(3)),
  response Nullable(String) CODEC(ZSTD(3)),
  precedence UInt64 DEFAULT 18446744073709551615 - toUInt64(toUnixTimestamp64Nano(now64(9))),
  INDEX by_id id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(precedence)
PARTITION BY toYYYYMM(at)
ORDER BY (account, id)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`;

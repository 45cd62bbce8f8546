import type { ChargeReceipt, HoldReceipt, Receipt, TokenCounts, UnitPrices } from "../ports/receipt.ts";
import { dialects } from "../wire/dialect.ts";

/** The columns of a HoldReceipt in a SQL store. All are text, and NULL where a receipt has no such member. */
export interface HoldColumns {
  readonly request_id: string;
  readonly model: string | undefined;
  readonly dialect: string | undefined;
  readonly description: string | undefined;
  /** A JSON object. */
  readonly metadata: string | undefined;
}

/** The names of {@link HoldColumns}. */
export const holdColumnNames = ["request_id", "model", "dialect", "description", "metadata"] as const;

const textColumns = ["provider", "upstream_model", "basis", "status", "answer_id"] as const;

const integerColumns = [
  "input_tokens",
  "cached_input_tokens",
  "cache_write_5m_tokens",
  "cache_write_1h_tokens",
  "output_tokens",
  "reasoning_tokens",
  "input_price",
  "cached_input_price",
  "cache_write_5m_price",
  "cache_write_1h_price",
  "output_price",
  "request_price",
  "duration_ms",
  "tier",
] as const;

/** The columns of a ChargeReceipt in a SQL store, by the type of their values. */
export const chargeColumnNames = { text: textColumns, integer: integerColumns } as const;

/** The name of a column of a ChargeReceipt. */
export type ChargeColumn = (typeof textColumns)[number] | (typeof integerColumns)[number];

/** The values of a ChargeReceipt by column. */
export type ChargeColumns = Readonly<
  Record<(typeof textColumns)[number], string | undefined> &
    Record<(typeof integerColumns)[number], number | bigint | undefined>
>;

/** Returns the values of a HoldReceipt by column. */
export function toHoldColumns(receipt: HoldReceipt): HoldColumns {
  const columns = { request_id: receipt.requestId, ...noColumns };
  if (receipt.model !== undefined) return { ...columns, model: receipt.model, dialect: receipt.dialect };
  const { description, metadata } = receipt;
  return { ...columns, description, metadata: metadata && JSON.stringify(metadata) };
}

const noColumns = { model: undefined, dialect: undefined, description: undefined, metadata: undefined };

/** Returns the values of a ChargeReceipt by column. */
export function toChargeColumns({ tokens, prices, ...charge }: ChargeReceipt): ChargeColumns {
  return {
    provider: charge.provider,
    upstream_model: charge.upstreamModel,
    basis: charge.basis,
    status: charge.status,
    answer_id: charge.answerId,
    input_tokens: tokens.input,
    cached_input_tokens: tokens.cachedInput,
    cache_write_5m_tokens: tokens.cacheWrite5m,
    cache_write_1h_tokens: tokens.cacheWrite1h,
    output_tokens: tokens.output,
    reasoning_tokens: tokens.reasoning,
    input_price: prices.input,
    cached_input_price: prices.cachedInput,
    cache_write_5m_price: prices.cacheWrite5m,
    cache_write_1h_price: prices.cacheWrite1h,
    output_price: prices.output,
    request_price: prices.request,
    duration_ms: charge.durationMs,
    tier: charge.tier,
  };
}

/** What {@link readReceipt} reads of a row. */
export interface ReceiptRow {
  text(column: string): string;
  optionalText(column: string): string | undefined;
  integer(column: string): bigint;
  optionalInteger(column: string): bigint | undefined;
  oneOf<Choice extends string>(column: string, choices: readonly Choice[]): Choice;
}

/**
 * Reads a receipt from the columns of a HoldReceipt, those of a ChargeReceipt, and `key_id`. Returns undefined if
 * `request_id` is NULL. A row without a provider has no charge, and one without a key has none.
 */
export function readReceipt(row: ReceiptRow): Receipt | undefined {
  const requestId = row.optionalText("request_id");
  if (requestId === undefined) return undefined;
  const keyId = row.optionalText("key_id");
  const charge = row.optionalText("provider") === undefined ? undefined : readCharge(row);
  return {
    ...readHoldReceipt(row, requestId),
    ...(keyId === undefined ? {} : { keyId }),
    ...(charge === undefined ? {} : { charge }),
  };
}

function readHoldReceipt(row: ReceiptRow, requestId: string): HoldReceipt {
  const description = row.optionalText("description");
  if (description === undefined) {
    return { requestId, model: row.text("model"), dialect: row.oneOf("dialect", dialects) };
  }
  const metadata = row.optionalText("metadata");
  return { requestId, description, ...(metadata === undefined ? {} : { metadata: readMetadata(metadata) }) };
}

function readMetadata(text: string): Readonly<Record<string, string>> {
  const members: Record<string, string> = JSON.parse(text);
  return members;
}

function readCharge(row: ReceiptRow): ChargeReceipt {
  const answerId = row.optionalText("answer_id");
  const tier = row.optionalInteger("tier");
  return {
    provider: row.text("provider"),
    upstreamModel: row.text("upstream_model"),
    tokens: readTokens(row, "_tokens"),
    basis: row.oneOf("basis", ["reported", "estimated", "implausible"]),
    prices: readPrices(row),
    ...(tier === undefined ? {} : { tier: Number(tier) }),
    durationMs: Number(row.integer("duration_ms")),
    status: row.text("status"),
    ...(answerId === undefined ? {} : { answerId }),
  };
}

/** Reads the counts of tokens, whose columns have the names of the classes and a suffix. */
export function readTokens(row: ReceiptRow, suffix: "" | "_tokens"): TokenCounts {
  const count = (name: string) => Number(row.integer(`${name}${suffix}`));
  return {
    input: count("input"),
    cachedInput: count("cached_input"),
    cacheWrite5m: count("cache_write_5m"),
    cacheWrite1h: count("cache_write_1h"),
    output: count("output"),
    reasoning: count("reasoning"),
  };
}

function readPrices(row: ReceiptRow): UnitPrices {
  const price = (name: string) => row.integer(`${name}_price`);
  return {
    input: price("input"),
    cachedInput: price("cached_input"),
    cacheWrite5m: price("cache_write_5m"),
    cacheWrite1h: price("cache_write_1h"),
    output: price("output"),
    request: price("request"),
  };
}

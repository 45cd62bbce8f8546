import {
  amountText,
  compactText,
  countText,
  durationText,
  freshInput,
  shareText,
} from "@tollgate/page-kit/design/figures.ts";
import type { UsageRow } from "../../api/answers.ts";

/** What the chart shows of each group and bucket. */
export interface Measure {
  readonly name: string;
  readonly kind: "money" | "count" | "duration" | "share";
  /** True: the values of groups add up. */
  readonly additive: boolean;
  readonly of: (row: UsageRow) => number | null;
}

const additive = (name: string, kind: Measure["kind"], of: Measure["of"]): Measure => ({
  name,
  kind,
  additive: true,
  of,
});
const latency = (name: string, of: Measure["of"]): Measure => ({ name, kind: "duration", additive: false, of });

/** The measures by their parameter in the address. Amounts are numbers here, because they are only drawn. */
export const measures = {
  cost: additive("Cost", "money", (row) => Number(row.cost)),
  margin: additive("Margin", "money", (row) => (row.margin === null ? null : Number(row.margin))),
  requests: additive("Requests", "count", (row) => row.requests),
  errors: additive("Errors", "count", (row) => row.failed),
  refusals: additive("Refused", "count", (row) => row.refused),
  error_share: {
    name: "Error share",
    kind: "share",
    additive: false,
    of: (row) => (row.requests === 0 ? null : row.failed / row.requests),
  },
  tokens: additive("Tokens", "count", ({ tokens }) => tokens.input + tokens.output),
  fresh: additive("Fresh input tokens", "count", ({ tokens }) => freshInput(tokens)),
  cached: additive("Cached input tokens", "count", ({ tokens }) => tokens.cached_input),
  cache_writes: additive("Cache write tokens", "count", ({ tokens }) => tokens.cache_write_5m + tokens.cache_write_1h),
  output: additive("Output tokens", "count", ({ tokens }) => tokens.output),
  reasoning: additive("Reasoning tokens", "count", ({ tokens }) => tokens.reasoning),
  p50: latency("Latency p50", (row) => row.p50_ms),
  p95: latency("Latency p95", (row) => row.p95_ms),
  first_p50: latency("First content p50", (row) => row.first_content_p50_ms),
  first_p95: latency("First content p95", (row) => row.first_content_p95_ms),
} as const satisfies Readonly<Record<string, Measure>>;

/** The parameter of a measure. */
export type MeasureId = keyof typeof measures;

/** Returns the measure of an address; cost if it names none. */
export const readMeasure = (id: string | undefined): MeasureId =>
  Object.keys(measures).find((known): known is MeasureId => known === id) ?? "cost";

/** The choices of the measure. */
export const measureChoices = Object.entries(measures).map(([id, { name }]) => [id, name] as const);

/** Formats a value of a measure. `short` is for the axis. */
export function valueText({ kind }: Measure, value: number | null, currency: string | null, short = false): string {
  if (value === null) return "–";
  if (kind === "money") return amountText(decimal(value), currency);
  if (kind === "duration") return durationText(value);
  if (kind === "share") return shareText(value);
  return short ? compactText(value) : countText(value);
}

/** A number without an exponent. The axis has parts of the smallest amount. */
const decimal = (value: number): string => value.toFixed(12);

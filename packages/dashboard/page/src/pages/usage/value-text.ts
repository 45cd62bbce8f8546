import { amountText } from "../../design/amount-text.ts";
import { compactText, countText, durationText, shareText } from "../../design/figures.ts";
import type { Measure } from "./measures.ts";

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

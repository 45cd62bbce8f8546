import {
  holdsLosslessNumber,
  isLosslessNumber,
  isNoArguments,
  type LosslessNumber,
  parseLosslessJson,
} from "@tollgate/core/provider";

/**
 * Parses the arguments of an earlier call, since the SDK expects a value. A number that JavaScript would round becomes an
 * object that JSON.stringify, which the SDK's providers use, writes with all its digits. Text that is not JSON or is
 * nested too deeply stays text, since it is what the model wrote.
 */
export function readToolInput(text: string): unknown {
  if (isNoArguments(text)) return {};
  try {
    const value = parseLosslessJson(text);
    return holdsLosslessNumber(value) ? withWritableNumbers(value) : value;
  } catch {
    return text;
  }
}

/** Replaces exact numbers with values that JSON.stringify can write. */
function withWritableNumbers(value: unknown): unknown {
  if (isLosslessNumber(value)) return toWritable(value);
  if (Array.isArray(value)) return value.map(withWritableNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withWritableNumbers(member)]));
}

const toWritable = (exact: LosslessNumber): WritableNumber | number =>
  rawJson === undefined && keepsValue(exact) ? Number(exact) : new WritableNumber(exact.text);

const maxExactDigits = 15;

/** A double keeps the value of every number of at most 15 digits within its range, such as 19.90. */
function keepsValue({ text }: LosslessNumber): boolean {
  const [mantissa = ""] = text.split(/e/i);
  return mantissa.replace(/\D/g, "").length <= maxExactDigits && Number.isFinite(Number(text));
}

/** Absent on Node 20. */
const found: unknown = Reflect.get(JSON, "rawJSON");
const rawJson = typeof found === "function" ? found : undefined;

class WritableNumber {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  toJSON(): unknown {
    return rawJson === undefined ? this.#text : rawJson(this.#text);
  }
}

import { type ExactNumber, holdsExactNumber, isExactNumber, parseExactJson } from "@tollgate/core/provider";

/**
 * The arguments of an earlier call as the SDK takes them: a value. Numbers that JavaScript would round are objects that
 * JSON.stringify, with which the SDK's providers write them, gives with all their digits. What is not JSON, or is
 * nested too deeply, is what the model wrote all the same, so it stays text.
 */
export function readToolInput(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    const value = parseExactJson(text);
    return holdsExactNumber(value) ? withWritableNumbers(value) : value;
  } catch {
    return text;
  }
}

/** The value with what JSON.stringify can write in the place of exact numbers. */
function withWritableNumbers(value: unknown): unknown {
  if (isExactNumber(value)) return toWritable(value);
  if (Array.isArray(value)) return value.map(withWritableNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withWritableNumbers(member)]));
}

const toWritable = (exact: ExactNumber): WritableNumber | number =>
  rawJson === undefined && keepsValue(exact) ? Number(exact) : new WritableNumber(exact.text);

const mostDigits = 15;

/** A double keeps the value of every number of at most 15 digits, such as 19.90, within its range. */
function keepsValue({ text }: ExactNumber): boolean {
  const [mantissa = ""] = text.split(/e/i);
  return mantissa.replace(/\D/g, "").length <= mostDigits && Number.isFinite(Number(text));
}

/** Node 20 does not have it. */
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

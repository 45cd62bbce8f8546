import type { Json } from "./json.ts";

/** The number of values that JSON.parse reads in some 20 ms in the slowest case, in which all member names differ. */
export const valuesAtOnce = 25_000;

/** The number of values read in one step, which takes some milliseconds even if all member names differ. */
const valuesInStep = 10_000;

/**
 * Parses a JSON text as JSON.parse does, in steps of a generator. JSON.parse is faster, but cannot be interrupted, and
 * takes up to a second for a million members whose names differ. `readScalar` parses a string, number, boolean or null.
 * Throws a SyntaxError for invalid JSON. Recursive: limit the depth of the text before the call.
 */
export function* parseInSteps(
  text: string,
  readScalar: (token: string) => Json = JSON.parse,
): Generator<undefined, Json> {
  const reader = new Reader(text, readScalar);
  const scalar = reader.scalar();
  const value = scalar === undefined ? yield* readContainer(reader) : scalar;
  reader.expectEnd();
  return value;
}

function* readContainer(reader: Reader): Generator<undefined, Json> {
  return yield* reader.takes(openBracket) ? readArray(reader) : readObject(reader);
}

function* readArray(reader: Reader): Generator<undefined, Json> {
  const array: Json[] = [];
  if (reader.takes(closeBracket)) return array;
  do {
    if (reader.endsStep()) yield;
    const scalar = reader.scalar();
    array.push(scalar === undefined ? yield* readContainer(reader) : scalar);
  } while (reader.takes(comma));
  reader.expect(closeBracket);
  return array;
}

function* readObject(reader: Reader): Generator<undefined, Json> {
  const object: { [key: string]: Json } = {};
  reader.expect(openBrace);
  if (reader.takes(closeBrace)) return object;
  do {
    if (reader.endsStep()) yield;
    const key = reader.key();
    reader.expect(colon);
    const scalar = reader.scalar();
    set(object, key, scalar === undefined ? yield* readContainer(reader) : scalar);
  } while (reader.takes(comma));
  reader.expect(closeBrace);
  return object;
}

function set(object: { [key: string]: Json }, key: string, value: Json): void {
  // An assignment to this name would change the prototype.
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/** Reads a text token by token. JSON.parse validates each string, number, boolean and null. */
class Reader {
  readonly #text: string;
  readonly #readScalar: (token: string) => Json;
  #at = 0;
  #values = 0;

  constructor(text: string, readScalar: (token: string) => Json) {
    this.#text = text;
    this.#readScalar = readScalar;
  }

  /** Counts a value. Returns true if it is the last one of a step. */
  endsStep(): boolean {
    return ++this.#values % valuesInStep === 0;
  }

  /** Reads the next value, or returns undefined before a bracket. */
  scalar(): Json | undefined {
    const first = this.#next();
    if (first === openBracket || first === openBrace) return undefined;
    return this.#readScalar(first === quote ? this.#string() : this.#word());
  }

  key(): string {
    if (this.#next() !== quote) throw this.#unexpected();
    return String(JSON.parse(this.#string()));
  }

  takes(code: number): boolean {
    if (this.#next() !== code) return false;
    this.#at++;
    return true;
  }

  expect(code: number): void {
    if (!this.takes(code)) throw this.#unexpected();
  }

  expectEnd(): void {
    this.#next();
    if (this.#at < this.#text.length) throw this.#unexpected();
  }

  /** Returns the code of the next character after white space, or NaN at the end. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code === space || code === lineFeed || code === carriageReturn || code === tab)
      code = this.#text.charCodeAt(++this.#at);
    return code;
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let end = start;
    do {
      end = text.indexOf('"', end + 1);
      if (end < 0) throw this.#unexpected();
    } while (isEscaped(text, end));
    this.#at = end + 1;
    return text.slice(start, end + 1);
  }

  #word(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !endsWord(this.#text.charCodeAt(this.#at))) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(
      `Unexpected character at ${this.#at} of the JSON text. Check its quotes, commas and brackets.`,
    );
  }
}

/** True if an odd number of backslashes precedes the quote. */
function isEscaped(text: string, quoteAt: number): boolean {
  let at = quoteAt;
  while (text.charCodeAt(at - 1) === backslash) at--;
  return (quoteAt - at) % 2 === 1;
}

/** True for a character that can follow a number, boolean or null. */
const endsWord = (code: number): boolean =>
  code <= space || code === comma || code === closeBracket || code === closeBrace;

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

import { isJsonList } from "@tollgate/core/extension";
import { isLosslessNumber, type Json, type LosslessNumber, writeLosslessJson } from "@tollgate/core/provider";
import { hideUrlCredentials } from "./credentials.ts";
import { secretPattern } from "./secret-pattern.ts";

const mark = "[redacted]";
const tooDeepMark = "[too deep to show]";
const maxLevels = 200;

/**
 * Replaces the secrets of an assistant with `[redacted]` in everything that is shown or logged. It finds them in any case:
 * unchanged, URL-encoded or HTML-escaped up to twice, JSON-escaped up to three times, and inside base64. Redact before you
 * truncate: part of a secret is not found.
 */
export class Redactor {
  readonly #patterns: readonly RegExp[];

  constructor(secrets: Readonly<Record<string, string>>) {
    this.#patterns = Object.values(secrets)
      .filter((secret) => secret !== "")
      .map(secretPattern);
  }

  /** Redacts a text. Overlapping secrets become one mark, so that no part of either remains. */
  text(text: string): string {
    const found = this.#patterns.flatMap((pattern) => [...joinOverlaps(matchesOf(pattern, text))]);
    let shown = "";
    let at = 0;
    for (const [start, end] of joinOverlaps(found.sort(([a], [b]) => a - b))) {
      shown += text.slice(at, start) + mark;
      at = end;
    }
    return at === 0 ? text : shown + text.slice(at);
  }

  /**
   * Redacts every string, key and number of a value. If a secret spans several of them, the value is returned as its
   * redacted JSON text. Values nested more than 200 levels deep are omitted.
   */
  json(value: Json): Json {
    if (this.#patterns.length === 0) return value;
    const clean = this.#redact(value, maxLevels);
    const whole = writeLosslessJson(clean);
    const text = this.text(whole);
    return text === whole ? clean : text;
  }

  /** Redacts the secrets of a URL, its userinfo, and query parameters whose names mark a credential. */
  url(url: string): string {
    return hideUrlCredentials(this.text(url), mark);
  }

  #redact(value: Json, levels: number): Json {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number" || isLosslessNumber(value)) return this.#number(value);
    if (typeof value !== "object" || value === null) return value;
    if (levels === 0) return tooDeepMark;
    if (isJsonList(value)) return value.map((item) => this.#redact(item, levels - 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [this.text(key), this.#redact(member, levels - 1)]),
    );
  }

  #number(value: number | LosslessNumber): Json {
    const text = String(value);
    const clean = this.text(text);
    return clean === text ? value : clean;
  }
}

type Range = readonly [start: number, end: number];

/** Yields the match that begins at each position, in order. */
function* matchesOf(pattern: RegExp, text: string): Generator<Range> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    yield [match.index, match.index + match[0].length];
    pattern.lastIndex = match.index + 1;
  }
}

/** Joins those ranges that overlap, of ranges in the order of their starts. */
function* joinOverlaps(ranges: Iterable<Range>): Generator<Range> {
  let joined: Range | undefined;
  for (const [start, end] of ranges) {
    if (joined !== undefined && start < joined[1]) joined = [joined[0], Math.max(joined[1], end)];
    else {
      if (joined !== undefined) yield joined;
      joined = [start, end];
    }
  }
  if (joined !== undefined) yield joined;
}

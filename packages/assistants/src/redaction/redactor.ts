import { isJsonList } from "@tollgate/core/extension";
import { type ExactNumber, isExactNumber, type Json, writeExactJson } from "@tollgate/core/provider";
import { UnbrokenText } from "./line-breaks.ts";
import { base64Forms, writtenForms } from "./secret-forms.ts";
import { SecretSearch } from "./secret-search.ts";
import { hideUrlCredentials } from "./url-credentials.ts";

const mark = "[redacted]";
const tooDeepMark = "[too deep to show]";
const maxLevels = 200;

/**
 * Replaces the secrets of an assistant with `[redacted]` in everything that is shown or logged. It finds them unchanged,
 * URL-encoded or JSON-escaped up to three times, HTML-escaped, in upper or lower case, and inside base64 with or without
 * line breaks. Redact before you truncate: part of a secret is not found.
 */
export class Redactor {
  /** Undefined when there are no secrets. */
  readonly #search: { readonly written: SecretSearch; readonly base64: SecretSearch } | undefined;

  constructor(secrets: Readonly<Record<string, string>>) {
    const values = Object.values(secrets).filter((secret) => secret !== "");
    if (values.length === 0) return;
    this.#search = {
      written: new SecretSearch(values.flatMap(writtenForms)),
      base64: new SecretSearch(values.flatMap(base64Forms)),
    };
  }

  /** Redacts a text. */
  text(text: string): string {
    if (this.#search === undefined) return text;
    let shown = "";
    let at = 0;
    for (const [start, end] of rangesIn(text, this.#search)) {
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
    if (this.#search === undefined) return value;
    const clean = this.#redact(value, maxLevels);
    const whole = writeExactJson(clean);
    const text = this.text(whole);
    return text === whole ? clean : text;
  }

  /** Redacts the secrets of a URL, its userinfo, and query parameters whose names mark a credential. */
  url(url: string): string {
    return hideUrlCredentials(this.text(url), mark);
  }

  #redact(value: Json, levels: number): Json {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number" || isExactNumber(value)) return this.#number(value);
    if (typeof value !== "object" || value === null) return value;
    if (levels === 0) return tooDeepMark;
    if (isJsonList(value)) return value.map((item) => this.#redact(item, levels - 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [this.text(key), this.#redact(member, levels - 1)]),
    );
  }

  #number(value: number | ExactNumber): Json {
    const text = String(value);
    const clean = this.text(text);
    return clean === text ? value : clean;
  }
}

function rangesIn(text: string, search: { readonly written: SecretSearch; readonly base64: SecretSearch }): Range[] {
  const unbroken = new UnbrokenText(text);
  const ranges = [...search.written.ranges(text), ...unbroken.withBreaks(search.base64.ranges(unbroken.text))];
  return mergeOverlaps(ranges);
}

type Range = readonly [start: number, end: number];

/** Sorts ranges, and joins those that overlap. */
function mergeOverlaps(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const [start, end] of [...ranges].sort(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last !== undefined && start < last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], end)];
    else merged.push([start, end]);
  }
  return merged;
}

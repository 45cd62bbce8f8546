import { writeExactJson } from "../../wire/exact-json.ts";
import { type ExactNumber, isExactNumber } from "../../wire/exact-number.ts";
import { isJsonList, type Json } from "../../wire/json.ts";
import { UnbrokenText } from "./line-breaks.ts";
import { base64Forms, writtenForms } from "./secret-forms.ts";
import { SecretSearch } from "./secret-search.ts";
import { hideUrlCredentials } from "./url-credentials.ts";

const mark = "[redacted]";
const tooDeep = "[too deep to show]";
const mostLevels = 200;

/**
 * Takes the secrets of an assistant out of whatever is to be shown: as they are, URL-encoded or JSON-escaped up to three
 * times, HTML-escaped, each in upper or lower case, and within base64 of any text that holds them, with line breaks or
 * without. Each becomes `[redacted]`. Redact before any cut, since half a secret is not found.
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

  /** A text without any secret, however it is written in it. */
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
   * The same for every string and number of a value, its keys too; a value whose JSON holds a secret across several of
   * them becomes text. What is nested more than 200 levels deep is left out.
   */
  json(value: Json): Json {
    if (this.#search === undefined) return value;
    const clean = this.#deep(value, mostLevels);
    const whole = writeExactJson(clean);
    const text = this.text(whole);
    return text === whole ? clean : text;
  }

  /** A URL without secrets, userinfo, and values of queries that are named like a credential. */
  url(url: string): string {
    return hideUrlCredentials(this.text(url), mark);
  }

  #deep(value: Json, levels: number): Json {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number" || isExactNumber(value)) return this.#number(value);
    if (typeof value !== "object" || value === null) return value;
    if (levels === 0) return tooDeep;
    if (isJsonList(value)) return value.map((item) => this.#deep(item, levels - 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [this.text(key), this.#deep(member, levels - 1)]),
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
  return merged(ranges);
}

type Range = readonly [start: number, end: number];

/** The ranges in order, those that overlap as one. */
function merged(ranges: readonly Range[]): Range[] {
  const apart: Range[] = [];
  for (const [start, end] of [...ranges].sort(([one], [other]) => one - other)) {
    const last = apart.at(-1);
    if (last !== undefined && start < last[1]) apart[apart.length - 1] = [last[0], Math.max(last[1], end)];
    else apart.push([start, end]);
  }
  return apart;
}

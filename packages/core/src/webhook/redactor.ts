import { writeExactJson } from "../wire/exact-json.ts";
import { type ExactNumber, isExactNumber } from "../wire/exact-number.ts";
import { isJsonList, type Json } from "../wire/json.ts";
import { secretForms } from "./secret-forms.ts";
import { SecretSearch } from "./secret-search.ts";
import { hideUrlCredentials } from "./url-credentials.ts";

const mark = "[redacted]";
const tooDeep = "[too deep to show]";
const mostLevels = 200;

/**
 * Takes the secrets of an assistant out of whatever is to be shown: as they are, URL-encoded, JSON-escaped up to three
 * times, and within base64 of any text that holds them. Each becomes `[redacted]`. Redact before any cut, since half a
 * secret is not found.
 */
export class Redactor {
  readonly #search: SecretSearch | undefined;

  constructor(secrets: Readonly<Record<string, string>>) {
    const values = Object.values(secrets).filter((secret) => secret !== "");
    this.#search = values.length === 0 ? undefined : new SecretSearch(values.flatMap(secretForms));
  }

  /** A text without any secret, however it is written in it. */
  text(text: string): string {
    if (this.#search === undefined) return text;
    let shown = "";
    let at = 0;
    for (const [start, end] of this.#search.ranges(text)) {
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

import type { Json } from "../wire/json.ts";

/** Takes the secrets of an assistant out of whatever is to be shown. */
export class Redactor {
  constructor(_secrets: Readonly<Record<string, string>>) {
    throw new Error("Redaction is not built yet.");
  }

  /** A text without any secret, however it is written in it. */
  text(text: string): string {
    return text;
  }

  /** The same for every string of a value, its keys too. */
  json(value: Json): Json {
    return value;
  }

  /** A URL without secrets, userinfo, and values of queries that are named like a credential. */
  url(url: string): string {
    return url;
  }
}

import type { JsonObject } from "../json-object.ts";
import type { Hints } from "./hints.ts";
import { samplePattern } from "./sample-pattern.ts";
import { TimedPattern } from "./timed-pattern.ts";

interface Format {
  /** Finds a value of the format in a message. */
  readonly found: RegExp;
  readonly fallback: string;
}

const date = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])`;
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:0\d|1[0-2]):[0-5]\d)`;
const word = (pattern: string) => new RegExp(String.raw`(?<!\S)${pattern}(?=[\s,;!?]|$)`);
const url: Format = {
  found: word(String.raw`https?:\/\/[a-zA-Z0-9.-]+(?:\/[\w./-]*)?`),
  fallback: "https://example.com/",
};
const email: Format = {
  found: word(String.raw`\w+(?:[.+-]\w+)*@\w+(?:[.-]\w+)*\.[a-z]{2,}`),
  fallback: "user@example.com",
};
const hostname: Format = { found: word(String.raw`[a-z\d]+(?:\.[a-z\d]+)*\.[a-z]{2,}`), fallback: "example.com" };

/** The formats of JSON Schema 2020-12, section 7.3, that a sample can satisfy. */
const formats: Readonly<Record<string, Format>> = {
  date: { found: word(date), fallback: "2026-01-15" },
  time: { found: word(time), fallback: "12:00:00Z" },
  "date-time": { found: word(`${date}T${time}`), fallback: "2026-01-15T12:00:00Z" },
  duration: { found: word(String.raw`P\d+[DWMY]`), fallback: "P1D" },
  email,
  "idn-email": email,
  hostname,
  "idn-hostname": hostname,
  uri: url,
  url,
  iri: url,
  "uri-reference": url,
  "iri-reference": url,
  uuid: {
    found: word("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
    fallback: "00000000-0000-4000-8000-000000000000",
  },
  ipv4: { found: word(String.raw`(?:1?\d{1,2}\.){3}1?\d{1,2}`), fallback: "192.0.2.1" },
  ipv6: { found: word("(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}"), fallback: "2001:db8::1" },
  "json-pointer": { found: word(String.raw`(?:\/\w+)+`), fallback: "/example" },
  regex: { found: /(?!)/, fallback: ".*" },
};

/**
 * Returns a string for a schema: one that matches its format or pattern, or else a text of the message or the name of the
 * property, shortened or padded to the allowed length.
 */
export function sampleString(schema: JsonObject, hints: Hints, name: string): string {
  const format = formats[String(schema["format"])];
  if (format !== undefined) return hints.find(format.found) ?? format.fallback;
  const { pattern } = schema;
  if (typeof pattern === "string") return sampleMatching(pattern, hints) ?? name;
  return fitLength(hints.takeText(() => true) ?? name, schema);
}

function sampleMatching(pattern: string, hints: Hints): string | undefined {
  const expression = new TimedPattern(pattern);
  const sample = samplePattern(pattern, expression);
  return sample && (hints.takeText((text) => expression.matches(text)) ?? sample);
}

function fitLength(text: string, schema: JsonObject): string {
  const shortest = Math.min(Number(schema["minLength"] ?? 0), maxTextLength);
  const longest = Number(schema["maxLength"] ?? maxTextLength);
  const letters = [...text].slice(0, longest);
  return letters.join("").concat("x".repeat(Math.max(0, shortest - letters.length)));
}

const maxTextLength = 10_000;

import { parseExactJson } from "../../wire/exact-json.ts";
import type { Json } from "../../wire/json.ts";
import { scanJson } from "../../wire/json-members.ts";
import { decodeUtf8, encodeUtf8 } from "../../wire/utf8.ts";
import { isJsonType, isTextType, type MediaType, readMediaType } from "./media-type.ts";

/** The body of an answer as far as it can be read; nothing in it is redacted yet. */
export interface Answer {
  /** The value of JSON, in an object because it may be null; undefined: it is text. */
  readonly json: { readonly value: Json } | undefined;
  /** The body as text, or a note in the place of what is none: `[image/png, 12345 bytes, not shown]`. */
  readonly text: string;
  readonly warnings: readonly string[];
}

const maxDepth = 100;

/**
 * Reads a body as JSON when its type says so or it begins with a bracket, else as text in the charset of its header
 * or UTF-8. What claims to be JSON and is none is text, with a warning. Never throws.
 */
export function readAnswer(contentType: string | undefined, body: Uint8Array): Answer {
  if (body.length === 0) return textOnly("");
  const type = readMediaType(contentType);
  const text = decode(body, type.charset);
  const claimsJson = isJsonType(type);
  if (claimsJson || /^\s*[[{]/.test(text)) {
    const parsed = parse(text);
    if ("value" in parsed) return { json: parsed, text, warnings: [] };
    if (claimsJson)
      return textOnly(text, [`The answer is declared as JSON, but ${parsed.problem}. It was read as text.`]);
  }
  return isText(type, body) ? textOnly(text) : textOnly(note(type, body));
}

const textOnly = (text: string, warnings: readonly string[] = []): Answer => ({ json: undefined, text, warnings });

function parse(text: string): { readonly value: Json } | { readonly problem: string } {
  // Within brackets the whole text is one nested value, of which no list of members is made.
  const scan = scanJson(encodeUtf8(`[${text}]`), { maxDepth: maxDepth + 1 });
  if ("exceeded" in scan) return { problem: "it is nested too deep or holds too many values" };
  try {
    return { value: parseExactJson(text) };
  } catch {
    return { problem: "it cannot be parsed" };
  }
}

/** Leaves out a byte order mark. */
function decode(body: Uint8Array, charset: string | undefined): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** Without a type, whatever is UTF-8 and has no NUL. */
const isText = (type: MediaType, body: Uint8Array): boolean =>
  type.essence === undefined ? !body.includes(0) && decodeUtf8(body) !== undefined : isTextType(type);

const note = (type: MediaType, body: Uint8Array): string =>
  `[${type.essence ?? "unknown type"}, ${body.length} bytes, not shown]`;

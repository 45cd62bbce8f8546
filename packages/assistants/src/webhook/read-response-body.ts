import { decodeUtf8, exceedsJsonLimits } from "@tollgate/core/extension";
import { type Json, parseLosslessJson } from "@tollgate/core/provider";

/** The decoded body of a webhook's response. Nothing in it is redacted yet. */
export interface ResponseBody {
  /** The parsed JSON, in an object because the value may be null; undefined when the body is text. */
  readonly json: { readonly value: Json } | undefined;
  /** The body as text; or a note about a body that is not text, such as `[image/png, 12345 bytes, not shown]`. */
  readonly text: string;
  readonly warnings: readonly string[];
}

/**
 * Decodes a body: as JSON if its media type says so or it begins with a bracket, and else as text in the charset of its
 * header or UTF-8. A body that is declared as JSON and is not valid is decoded as text, with a warning. Never throws.
 */
export function readResponseBody(contentType: string | undefined, body: Uint8Array): ResponseBody {
  if (body.length === 0) return textOnly("");
  const type = readMediaType(contentType);
  const { text, warnings } = decode(body, type.charset);
  const isDeclaredJson = isJsonType(type);
  if (isDeclaredJson || /^\s*[[{]/.test(text)) {
    const parsed = parse(text);
    if ("value" in parsed) return { json: parsed, text, warnings };
    if (isDeclaredJson) {
      const problem = `The response is declared as JSON, but ${parsed.problem}. It was read as text.`;
      return textOnly(text, [...warnings, problem]);
    }
  }
  return isText(type, body) ? textOnly(text, warnings) : textOnly(note(type, body));
}

const textOnly = (text: string, warnings: readonly string[] = []): ResponseBody => ({
  json: undefined,
  text,
  warnings,
});

function parse(text: string): { readonly value: Json } | { readonly problem: string } {
  if (exceedsJsonLimits(text)) return { problem: "it is nested too deeply or has too many values" };
  try {
    return { value: parseLosslessJson(text) };
  } catch {
    return { problem: "it cannot be parsed" };
  }
}

/** Decodes bytes, without a byte order mark. An unknown charset is treated as UTF-8, with a warning. */
function decode(body: Uint8Array, charset: string | undefined): Pick<ResponseBody, "text" | "warnings"> {
  const decoder = decoderOf(charset);
  if (decoder === undefined) {
    const problem = `The response has the unknown charset "${charset}". It was read as UTF-8. Send UTF-8, or correct its content-type.`;
    return { text: new TextDecoder().decode(body), warnings: [problem] };
  }
  const text = decoder.decode(body);
  return { text: decoder.encoding === "windows-1252" ? withWindows1252(text) : text, warnings: [] };
}

function decoderOf(charset: string | undefined): TextDecoder | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

/** The characters of the bytes 0x80 to 0x9F (https://encoding.spec.whatwg.org/#windows-1252). */
const highCharacters = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Node decodes windows-1252 as ISO-8859-1 (https://github.com/nodejs/node/issues/56542), which has control characters there. */
const withWindows1252 = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, (character) => highCharacters.charAt(character.charCodeAt(0) - 0x80));

/** A body without a media type is text if it is valid UTF-8 and has no NUL. */
const isText = (type: MediaType, body: Uint8Array): boolean =>
  type.essence === undefined ? !body.includes(0) && decodeUtf8(body) !== undefined : isTextType(type);

const note = (type: MediaType, body: Uint8Array): string =>
  `[${type.essence ?? "unknown type"}, ${body.length} bytes, not shown]`;

/** A parsed content-type header (RFC 9110, section 8.3.1). */
interface MediaType {
  /** Type and subtype in lower case; undefined when the header is absent or malformed. */
  readonly essence: string | undefined;
  readonly charset: string | undefined;
}

const essenceSyntax = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/;
const charsetSyntax = /;\s*charset\s*=\s*"?([^\s;"]{1,40})/i;
const textual =
  /^text\/|[/+](?:xml|yaml|json)$|^application\/(?:x-ndjson|jsonl|json-seq|javascript|x-www-form-urlencoded|graphql|sql|x-yaml|toml)$/;

/** Parses a content-type header. Of several values, joined with commas, it uses the first. */
function readMediaType(header: string | undefined): MediaType {
  const [first = ""] = (header ?? "").slice(0, 1_000).split(",");
  const essence = (first.split(";")[0] ?? "").trim().toLowerCase();
  return { essence: essenceSyntax.test(essence) ? essence : undefined, charset: charsetSyntax.exec(first)?.[1] };
}

/** True for `application/json` and every type that ends in `+json` (RFC 6839). */
const isJsonType = ({ essence }: MediaType): boolean => essence !== undefined && /[/+]json$/.test(essence);

/** True for a type whose content is text. */
const isTextType = ({ essence }: MediaType): boolean => essence !== undefined && textual.test(essence);

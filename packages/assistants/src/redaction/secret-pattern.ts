import { encodeUtf8 } from "@tollgate/core/extension";

type Encode = (text: string) => string;

/**
 * Returns a regular expression that matches a secret in any case: unchanged, encoded once or twice for JSON, URLs or HTML,
 * that in a JSON string, or inside base64. Its alternatives are texts and the longest is first, so that it matches in
 * linear time. Each secret has an expression of its own, because V8 does not optimize those with more than 20 KB.
 */
export function secretPattern(secret: string): RegExp {
  const texts = textsOf(secret);
  const twice = texts.flatMap(encodingsOf).flatMap(encodingsOf);
  const forms = [...new Set([...twice, ...twice.map(quoted), ...texts.flatMap(base64Forms)])];
  const sources = forms.sort((a, b) => b.length - a.length).map(sourceOf);
  return new RegExp(sources.join("|"), "gi");
}

/** The secret, its UTF-8 decoded as Latin-1, as servers decode headers, and its upper case if that has other characters. */
const textsOf = (secret: string): readonly string[] =>
  /^[ -~]*$/.test(secret) ? [secret] : [secret, asLatin1(encodeUtf8(secret)), secret.toUpperCase()];

const asLatin1 = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

const quoted: Encode = (text) => JSON.stringify(text).slice(1, -1);
const ascii: Encode = (text) => text.replace(/[^ -~]/g, (unit) => `\\u${hexadecimal(unit).padStart(4, "0")}`);
const slashed: Encode = (text) => text.replaceAll("/", "\\/");
const strict: Encode = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${hexadecimal(sign)}`);
const entities: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" };

/** How common encoders write a text for JSON, URLs (RFC 3986 and the URL Standard) and HTML. */
const encoders: readonly Encode[] = [
  quoted,
  (text) => slashed(quoted(text)),
  (text) => ascii(quoted(text)),
  (text) => slashed(ascii(quoted(text))),
  encodeURIComponent,
  strict,
  (text) => strict(text).replaceAll("%2F", "/"),
  (text) => new URLSearchParams([["", text]]).toString().slice(1),
  (text) => text.replace(/[&<>"']/g, (sign) => `&${entities[sign]};`),
];

const encodingsOf = (text: string): readonly string[] => [
  ...new Set([text, ...encoders.map((encode) => encode(text))]),
];

/**
 * The base64 and base64url (RFC 4648) of a text of bytes within that of a longer one. Without what follows them, the last
 * character is known; a character that shares bits with other bytes is left out, which shows at most four bits.
 */
function base64Forms(text: string): readonly string[] {
  if (!/^[ -\xff]*$/.test(text)) return [];
  return [0, 1, 2].flatMap((offset) => {
    const base64 = btoa(" ".repeat(offset) + text).replace(/=+$/, "");
    const first = Math.ceil((offset * 8) / 6);
    const shared = Math.floor(((offset + text.length) * 8) / 6);
    return [base64.slice(first), base64.slice(first, shared)].flatMap((form) => [
      form,
      slashed(form),
      encodeURIComponent(form),
      form.replaceAll("+", "-").replaceAll("/", "_"),
    ]);
  });
}

/** The source of a form. In HTML, quotes have several references. */
const sourceOf = (form: string): string =>
  form
    .replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replaceAll("&quot;", "&(?:quot|#34|#x22);")
    .replaceAll("&#39;", "&(?:apos|#0?39|#x27);");

const hexadecimal = (unit: string): string => unit.charCodeAt(0).toString(16);

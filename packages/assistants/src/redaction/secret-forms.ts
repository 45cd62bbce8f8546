import { decodeUtf8, encodeUtf8 } from "@tollgate/core/extension";
import { base64Form } from "./base64-form.ts";
import { escapedForm, htmlForm, type JsonLevel, type PercentSign } from "./escaped-form.ts";
import type { SecretForm } from "./join-forms.ts";

/**
 * The encodings of a secret in text: none, URL-encoded or JSON-escaped up to three times, or HTML-escaped, in upper or
 * lower case.
 */
export function writtenForms(secret: string): readonly SecretForm[] {
  return [...escaped(secret), ...htmlEscaped(secret)];
}

// Each form has one JSON level for backslashes and one encoding of percent signs, since several would be ambiguous.
function escaped(secret: string): readonly SecretForm[] {
  const levelSets: readonly (readonly JsonLevel[])[] = secret.includes("\\") ? [[0], [1], [2], [3]] : [[0, 1, 2, 3]];
  const percentSigns: readonly PercentSign[] = secret.includes("%") ? ["%", "%25", "%2525", "%252525"] : ["%"];
  return [...new Set([secret, decodedAsLatin1(secret)])].flatMap((text) =>
    levelSets.flatMap((levels) => percentSigns.map((sign) => escapedForm(text, levels, sign))),
  );
}

function htmlEscaped(secret: string): readonly SecretForm[] {
  if (/^[A-Za-z0-9]*$/.test(secret)) return [];
  const levelSets: readonly (readonly JsonLevel[])[] = secret.includes("\\") ? [[0], [1]] : [[0, 1]];
  return levelSets.map((levels) => htmlForm(secret, levels));
}

/** The encodings of a secret inside base64, in a text without line breaks. */
export function base64Forms(secret: string): readonly SecretForm[] {
  return bytesOf(secret).flatMap((bytes) =>
    bytes.length < 3 ? [] : ([0, 1, 2] as const).map((offset) => base64Form(bytes, offset)),
  );
}

/** The byte sequences that base64 may encode: UTF-8, Latin-1 as with `btoa`, and the secret escaped for JSON or a query. */
function bytesOf(secret: string): readonly Uint8Array[] {
  const wellFormed = decodeUtf8(encodeUtf8(secret)) ?? secret;
  const texts = new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed)]);
  const utf8 = [...texts].map(encodeUtf8);
  return isLatin1(secret) ? [...utf8, Uint8Array.from(secret, (unit) => unit.charCodeAt(0))] : utf8;
}

/** UTF-8 decoded as Latin-1, as many servers decode headers. */
const decodedAsLatin1 = (secret: string): string =>
  Array.from(encodeUtf8(secret), (byte) => String.fromCharCode(byte)).join("");

/** True for a text that Latin-1 can encode and ASCII cannot. */
const isLatin1 = (text: string): boolean => /[\x80-\xff]/.test(text) && !/[^\0-\xff]/.test(text);

import { characterForm } from "./escaped-form.ts";
import type { SecretForm } from "./join-forms.ts";

const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"];
const bitsPerCharacter = 6;

/** The characters that differ between the two alphabets of RFC 4648, and their escapes in URLs and JSON. */
const variants: ReadonlyMap<string, string> = new Map([
  ["+", `-|${characterForm("+", [0, 1])}`],
  ["/", `_|${characterForm("/", [0, 1])}`],
]);

/**
 * Matches bytes inside the base64 or base64url (RFC 4648) of a longer text. `offset` is the number of bytes before them,
 * modulo three. The last character matches even when it shares bits with the bytes that follow. A first character that
 * shares bits with the bytes before is not matched; it holds at most four bits of these.
 */
export function base64Form(bytes: Uint8Array, offset: 0 | 1 | 2): SecretForm {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = ("?".repeat(offset * 8) + bits).match(/.{1,6}/g) ?? [];
  return groups.slice(Math.ceil((offset * 8) / bitsPerCharacter)).map(characterOf);
}

const cache: Map<string, string> = new Map();

/** Matches the characters whose bits begin with a pattern of `0`, `1` and `?`. There are few patterns, so they are cached. */
function characterOf(pattern: string): string {
  const source = cache.get(pattern) ?? charactersMatching(pattern);
  cache.set(pattern, source);
  return source;
}

function charactersMatching(pattern: string): string {
  const matching = alphabet.filter((_, value) => {
    const bits = value.toString(2).padStart(bitsPerCharacter, "0");
    return Array.from(pattern).every((bit, i) => bit === "?" || bit === bits[i]);
  });
  if (matching.length === 1 && !variants.has(matching[0] ?? "")) return matching[0] ?? "";
  const plain = matching.filter((character) => !variants.has(character)).join("");
  const others = matching.flatMap((character) => variants.get(character) ?? []);
  return `(?:${[...(plain === "" ? [] : [`[${plain}]`]), ...others].join("|")})`;
}

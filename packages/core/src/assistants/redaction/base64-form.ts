import { characterForm } from "./escaped-form.ts";
import type { SecretForm } from "./join-forms.ts";

const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"];
const bitsOfCharacter = 6;

/** Both alphabets of RFC 4648, and what URLs and JSON make of their signs. */
const signs: ReadonlyMap<string, string> = new Map([
  ["+", `-|${characterForm("+", [0, 1])}`],
  ["/", `_|${characterForm("/", [0, 1])}`],
]);

/**
 * Matches bytes within base64 or base64url (RFC 4648) of a longer text, which
 * has `offset` bytes beyond a multiple of three before them. The character that they share with what follows matches too,
 * whatever that is; the one that they share with what goes before, with four bits of them at most, does not.
 */
export function base64Form(bytes: Uint8Array, offset: 0 | 1 | 2): SecretForm {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = ("?".repeat(offset * 8) + bits).match(/.{1,6}/g) ?? [];
  return groups.slice(Math.ceil((offset * 8) / bitsOfCharacter)).map(characterOf);
}

const known: Map<string, string> = new Map();

/** The characters whose bits are like a pattern of `0`, `1` and `?`, which may end early; there are few patterns. */
function characterOf(pattern: string): string {
  const source = known.get(pattern) ?? charactersLike(pattern);
  known.set(pattern, source);
  return source;
}

function charactersLike(pattern: string): string {
  const fitting = alphabet.filter((_, value) => {
    const bits = value.toString(2).padStart(bitsOfCharacter, "0");
    return Array.from(pattern).every((bit, i) => bit === "?" || bit === bits[i]);
  });
  if (fitting.length === 1 && !signs.has(fitting[0] ?? "")) return fitting[0] ?? "";
  const plain = fitting.filter((character) => !signs.has(character)).join("");
  const others = fitting.flatMap((character) => signs.get(character) ?? []);
  return `(?:${[...(plain === "" ? [] : [`[${plain}]`]), ...others].join("|")})`;
}

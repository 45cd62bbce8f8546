const named: ReadonlyMap<string, string> = new Map([
  ["&", "[aA][mM][pP]"],
  ["<", "[lL][tT]"],
  [">", "[gG][tT]"],
  ['"', "[qQ][uU][oO][tT]"],
  ["'", "[aA][pP][oO][sS]"],
]);
const anyName = "[A-Za-z][A-Za-z0-9]{1,31}";

/**
 * Matches a character as an HTML character reference (https://html.spec.whatwg.org/#named-character-references): by its
 * number, or by its name. Characters other than the five that every encoder escapes match any name. The `&` may be
 * escaped in turn.
 */
export function entityForm(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const decimal = `#0{0,6}${code}`;
  const hex = `#[xX]0{0,6}${code.toString(16).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`;
  return `&(?:[aA][mM][pP];){0,2}(?:${decimal}|${hex}|${named.get(character) ?? anyName});`;
}

const named: ReadonlyMap<string, string> = new Map([
  ["&", "[aA][mM][pP]"],
  ["<", "[lL][tT]"],
  [">", "[gG][tT]"],
  ['"', "[qQ][uU][oO][tT]"],
  ["'", "[aA][pP][oO][sS]"],
]);
const anyName = "[A-Za-z][A-Za-z0-9]{1,31}";

/**
 * Matches a character as a character reference of HTML (https://html.spec.whatwg.org/#named-character-references): by its
 * number, its name, or some name when it is none of the five that every encoder escapes. The `&` may be escaped itself.
 */
export function entityForm(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const decimal = `#0{0,6}${code}`;
  const hex = `#[xX]0{0,6}${code.toString(16).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`;
  return `&(?:[aA][mM][pP];){0,2}(?:${decimal}|${hex}|${named.get(character) ?? anyName});`;
}

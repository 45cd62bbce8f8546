/*
 * A variable in a template:
 *
 *   reference  = "$$"                      a dollar
 *              | "${" any but "}" "}"      a name and perhaps a path, which take all of it
 *              | "$" name path             where name begins with a letter or "_"
 *   name       = the longest known name that stands there; none: an identifier, unresolved
 *   path       = { "." identifier | "[" digits "]" }   as far as it leads to a value
 *   identifier = a letter or "_", then letters, marks, digits and "_"
 *
 * Every other "$" is text. What follows a name is not looked at: with `id` known, `$id_2026` is the id and "_2026".
 * Keys of client data come from outside the configuration, so they are known under two conditions. Without braces, all
 * their characters are letters, marks, digits or "_-.[]". And a key that begins with a name of the configuration or the
 * system is preferred to it only when a letter, a digit or "_" follows that name: `order_id` over `order`.
 */

const dot = 0x2e;
const bracket = 0x5b;
const letter = /[\p{L}_]/uy;
const identifier = /[\p{L}_][\p{L}\p{M}\p{Nd}_]*/uy;
const step = /\.([\p{L}_][\p{L}\p{M}\p{Nd}_]*)|\[(\d+)\]/uy;
const image = /images\[\d+\]/y;
const explicit = /\$\{([^}]+)\}/y;
const bareKey = /^[\p{L}_][\p{L}\p{M}\p{Nd}_.[\]-]*$/u;
const wordCharacter = /[\p{L}\p{Nd}_]/uy;

/** True when a letter or `_` stands at a place, where a name may begin. */
export function isLetterAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit > 0x7f) return matchAt(letter, text, at) !== undefined;
  const lower = unit | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || unit === 0x5f;
}

/** The identifier that begins at a place; empty: none does. */
export function identifierAt(text: string, at: number): string {
  return matchAt(identifier, text, at)?.[0] ?? "";
}

/** One step of a path at a place: an object's `key` or an array's `index`, and where it ends. */
export function stepAt(text: string, at: number): { key?: string; index?: string; end: number } | undefined {
  const sign = text.charCodeAt(at);
  const found = sign === dot || sign === bracket ? matchAt(step, text, at) : undefined;
  if (found === undefined) return undefined;
  const end = at + found[0].length;
  return found[1] === undefined ? { index: found[2] ?? "", end } : { key: found[1], end };
}

/** The name of an image, `images[n]`, that stands at a place. */
export function imageNameAt(text: string, at: number): string | undefined {
  return text.startsWith("images[", at) ? matchAt(image, text, at)?.[0] : undefined;
}

/** True when a key of client data can be a variable without braces. */
export const isBareKey = (key: string): boolean => bareKey.test(key);

/** True when a key is preferred to a name that it begins with. */
export const mayExtend = (key: string, name: string): boolean => matchAt(wordCharacter, key, name.length) !== undefined;

/** True when a path takes all of a text from a position on, whether it leads to a value or not. */
export function isPathFrom(text: string, at: number): boolean {
  let end: number | undefined = at;
  while (end !== undefined && end < text.length) end = stepAt(text, end)?.end;
  return end !== undefined;
}

/** What is between the braces of `${...}` at a place, and where they end; undefined: nothing, or they are not closed. */
export function explicitAt(text: string, at: number): { words: string; end: number } | undefined {
  const found = matchAt(explicit, text, at);
  return found === undefined ? undefined : { words: found[1] ?? "", end: at + found[0].length };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

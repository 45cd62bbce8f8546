/*
 * A variable in a template:
 *
 *   reference  = "$$"                      a dollar sign
 *              | "${" any but "}" "}"      a name, with or without a path
 *              | "$" name path             where name begins with a letter or "_"
 *   name       = the longest known name; if there is none, an identifier, which is unresolved
 *   path       = { "." identifier | "[" digits "]" }   as far as members exist
 *   identifier = a letter or "_", then letters, marks, digits and "_"
 *
 * Every other "$" is text. The text after a name does not matter: if `id` is known, `$id_2026` is the id and "_2026".
 * Keys of client data come from outside the configuration, so they are known names under two conditions. Without braces,
 * they must consist of letters, marks, digits and "_-.[]". And a key that begins with a configured or system name takes
 * precedence over it only if a letter, a digit or "_" follows that name: `order_id` over `order`.
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

/** True when there is a letter or `_` at a position, where a name may begin. */
export function isLetterAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit > 0x7f) return matchAt(letter, text, at) !== undefined;
  const lower = unit | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || unit === 0x5f;
}

/** Returns the identifier at a position, or an empty text. */
export function identifierAt(text: string, at: number): string {
  return matchAt(identifier, text, at)?.[0] ?? "";
}

/** Parses one step of a path: the `key` of an object or the `index` of an array, and where the step ends. */
export function stepAt(text: string, at: number): { key?: string; index?: string; end: number } | undefined {
  const first = text.charCodeAt(at);
  const found = first === dot || first === bracket ? matchAt(step, text, at) : undefined;
  if (found === undefined) return undefined;
  const end = at + found[0].length;
  return found[1] === undefined ? { index: found[2] ?? "", end } : { key: found[1], end };
}

/** Returns the name of an image, `images[n]`, at a position. */
export function imageNameAt(text: string, at: number): string | undefined {
  return text.startsWith("images[", at) ? matchAt(image, text, at)?.[0] : undefined;
}

/** True when a key of client data can be a variable without braces. */
export const isBareKey = (key: string): boolean => bareKey.test(key);

/** True when a key takes precedence over the name that it begins with. */
export const mayExtend = (key: string, name: string): boolean => matchAt(wordCharacter, key, name.length) !== undefined;

/** True when the rest of a text from a position on is a path. The path need not lead to a value. */
export function isPathFrom(text: string, at: number): boolean {
  let end: number | undefined = at;
  while (end !== undefined && end < text.length) end = stepAt(text, end)?.end;
  return end !== undefined;
}

/** Returns the text between the braces of `${...}` at a position, and where they end; undefined if it is empty or not closed. */
export function explicitAt(text: string, at: number): { words: string; end: number } | undefined {
  const found = matchAt(explicit, text, at);
  return found === undefined ? undefined : { words: found[1] ?? "", end: at + found[0].length };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

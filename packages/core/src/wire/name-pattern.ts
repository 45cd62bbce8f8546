/** Returns true if a pattern matches a whole name, where each `*` matches any text, also none. Takes linear time. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return pattern === name;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  const between = name.slice(first.length, name.length - last.length);
  let at = 0;
  for (const part of others) {
    const found = between.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return true;
}

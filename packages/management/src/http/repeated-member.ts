const keyOrBracket = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gs;

/** Returns the first name that occurs twice in one object of a valid JSON text, at any depth, or undefined if none does. */
export function repeatedMember(json: string): string | undefined {
  const open: Set<unknown>[] = [];
  for (const [token, colon = ""] of json.matchAll(keyOrBracket)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== "") {
      const name: unknown = JSON.parse(token.slice(0, -colon.length));
      const names = open.at(-1);
      if (names?.has(name)) return String(name);
      names?.add(name);
    }
  }
  return undefined;
}

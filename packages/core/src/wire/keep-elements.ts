import { decodeUtf8 } from "./bytes.ts";
import { type JsonMember, scanElements } from "./json-members.ts";
import { budgetOf, skipValue } from "./json-skip.ts";

/**
 * Returns the array that a member has as JSON, with what `rewrite` returns for the JSON of each of its elements; undefined
 * leaves an element out. One that is returned as it was sent keeps all digits of its numbers.
 */
export function rewriteElements(
  bytes: Uint8Array,
  { valueStart }: JsonMember,
  rewrite: (json: string, index: number) => string | undefined,
): string {
  const kept: string[] = [];
  const budget = budgetOf({});
  scanElements(bytes, valueStart, budget, (start, index) => {
    const end = skipValue(bytes, start, budget);
    const json = end > 0 ? rewrite(decodeUtf8(bytes.subarray(start, end)) ?? "null", index) : undefined;
    if (json !== undefined) kept.push(json);
    return end;
  });
  return `[${kept.join(",")}]`;
}

/** Returns the array that a member has as JSON, with some of its elements. Each is as it was sent. */
export const keepElements = (bytes: Uint8Array, member: JsonMember, isKept: (index: number) => boolean): string =>
  rewriteElements(bytes, member, (json, index) => (isKept(index) ? json : undefined));

import { decodeUtf8 } from "./bytes.ts";
import { type JsonMember, scanElements } from "./json-members.ts";
import { budgetOf, skipValue } from "./json-skip.ts";

/** Returns the array that a member has as JSON, with some of its elements. Each is as it was sent, with all its digits. */
export function keepElements(
  bytes: Uint8Array,
  { valueStart }: JsonMember,
  isKept: (index: number) => boolean,
): string {
  const kept: string[] = [];
  const budget = budgetOf({});
  scanElements(bytes, valueStart, budget, (start, index) => {
    const end = skipValue(bytes, start, budget);
    if (end > 0 && isKept(index)) kept.push(decodeUtf8(bytes.subarray(start, end)) ?? "null");
    return end;
  });
  return `[${kept.join(",")}]`;
}

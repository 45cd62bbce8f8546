import { isKey, type JsonMember, memberOf, scanElements, scanMembers, scanRoot } from "../../wire/json-members.ts";
import { budgetOf, skipValue } from "../../wire/json-skip.ts";

/** The members of an embeddings answer, and the number of its vectors. */
export interface ScannedEmbeddings {
  readonly members: readonly JsonMember[];
  /** Undefined if `data` is not an array. */
  readonly vectors: number | undefined;
}

/** 2,048 vectors of 16,384 numbers each. */
const limits = { maxValues: 40_000_000 };
const openBracket = 0x5b;

/**
 * Finds the members of an answer and counts its vectors, without parsing their numbers. Returns undefined for a text that is
 * not JSON, and for one that exceeds the limits.
 */
export function scanEmbeddings(bytes: Uint8Array): ScannedEmbeddings | undefined {
  const budget = budgetOf(limits);
  const members: JsonMember[] = [];
  let vectors: number | undefined;
  const countVectors = (start: number): number => {
    let count = 0;
    const end = scanElements(bytes, start, budget, (at) => {
      count += 1;
      return skipValue(bytes, at, budget);
    });
    vectors = count;
    return end;
  };
  const end = scanRoot(bytes, budget, (rootStart) =>
    scanMembers(bytes, rootStart, budget, (keyStart, keyEnd, start) => {
      const isData = bytes[start] === openBracket && isKey(bytes, keyStart, keyEnd, "data");
      const valueEnd = isData ? countVectors(start) : skipValue(bytes, start, budget);
      if (valueEnd >= 0) members.push(memberOf(bytes, keyStart, keyEnd, start, valueEnd));
      return valueEnd;
    }),
  );
  return end < 0 ? undefined : { members, vectors };
}

import { isKey, type JsonMember, memberOf, scanElements, scanMembers, scanRoot } from "../../wire/json-members.ts";
import { budgetOf, skipValue } from "../../wire/json-skip.ts";

/** The members of an embeddings answer, and where its vectors are. */
export interface ScannedEmbeddings {
  readonly members: readonly JsonMember[];
  /** One for each element of `data`. Undefined if that is not an array. */
  readonly vectors: readonly VectorRange[] | undefined;
}

/** The range of a vector in the text; empty if its element has none. */
export interface VectorRange {
  readonly start: number;
  readonly end: number;
}

/** 2,048 vectors of 16,384 numbers each. */
const limits = { maxValues: 40_000_000 };
const openBracket = 0x5b;
const openBrace = 0x7b;

/**
 * Finds the members of an answer and its vectors, without parsing their numbers. Returns undefined for a text that is
 * not JSON, and for one that exceeds the limits.
 */
export function scanEmbeddings(bytes: Uint8Array): ScannedEmbeddings | undefined {
  const budget = budgetOf(limits);
  const members: JsonMember[] = [];
  let vectors: VectorRange[] | undefined;
  const findVectors = (start: number): number => {
    const found: VectorRange[] = [];
    vectors = found;
    return scanElements(bytes, start, budget, (at) => {
      let vector = { start: at, end: at };
      const end =
        bytes[at] === openBrace
          ? scanMembers(bytes, at, budget, (keyStart, keyEnd, valueStart) => {
              const valueEnd = skipValue(bytes, valueStart, budget);
              if (isKey(bytes, keyStart, keyEnd, "embedding")) vector = { start: valueStart, end: valueEnd };
              return valueEnd;
            })
          : skipValue(bytes, at, budget);
      found.push(vector);
      return end;
    });
  };
  const end = scanRoot(bytes, budget, (rootStart) =>
    scanMembers(bytes, rootStart, budget, (keyStart, keyEnd, start) => {
      const isData = bytes[start] === openBracket && isKey(bytes, keyStart, keyEnd, "data");
      const valueEnd = isData ? findVectors(start) : skipValue(bytes, start, budget);
      if (valueEnd >= 0) members.push(memberOf(bytes, keyStart, keyEnd, start, valueEnd));
      return valueEnd;
    }),
  );
  return end < 0 ? undefined : { members, vectors };
}

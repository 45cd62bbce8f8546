import { decodeKey, isKey, type JsonMember, memberOf, scanInSteps, scanMembers } from "../../wire/json-members.ts";
import { type Budget, budgetOf, skipBlank, skipValue } from "../../wire/json-skip.ts";

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
/** Fewer bytes are scanned in a few milliseconds. */
const bytesAtOnce = 524_288;
const openBracket = 0x5b;
const openBrace = 0x7b;

/**
 * Finds the members of an answer and its vectors, without parsing their numbers, in steps of a generator. Returns undefined
 * for a text that is not a JSON object, and for one that exceeds the limits.
 */
export function* scanEmbeddings(bytes: Uint8Array): Generator<undefined, ScannedEmbeddings | undefined> {
  const budget = budgetOf(limits);
  const members: JsonMember[] = [];
  let vectors: VectorRange[] | undefined;
  const root = skipBlank(bytes, 0);
  if (bytes[root] !== openBrace) return undefined;
  const end = yield* scanInSteps(bytes, root, budget, function* (keyStart, keyEnd, start) {
    const isData = decodeKey(bytes, keyStart, keyEnd) === "data";
    const found: VectorRange[] | undefined = isData && bytes[start] === openBracket ? [] : undefined;
    // Of repeated members the last counts.
    if (isData) vectors = found;
    const valueEnd = found ? yield* scanVectors(bytes, start, budget, found) : skipValue(bytes, start, budget);
    if (valueEnd >= 0) members.push(memberOf(bytes, keyStart, keyEnd, start, valueEnd));
    return valueEnd;
  });
  return end < 0 || skipBlank(bytes, end) < bytes.length ? undefined : { members, vectors };
}

/** Adds the vectors of the array at `start` to `found`. Returns its end. */
function* scanVectors(
  bytes: Uint8Array,
  start: number,
  budget: Budget,
  found: VectorRange[],
): Generator<undefined, number> {
  let turnAt = start + bytesAtOnce;
  return yield* scanInSteps(bytes, start, budget, function* (_keyStart, _keyEnd, at) {
    let vector = { start: at, end: at };
    const readMember = (keyStart: number, keyEnd: number, valueStart: number): number => {
      const valueEnd = skipValue(bytes, valueStart, budget);
      if (isKey(bytes, keyStart, keyEnd, "embedding")) vector = { start: valueStart, end: valueEnd };
      return valueEnd;
    };
    const end = bytes[at] === openBrace ? scanMembers(bytes, at, budget, readMember) : skipValue(bytes, at, budget);
    found.push(vector);
    if (end >= turnAt) {
      turnAt = end + bytesAtOnce;
      yield;
    }
    return end;
  });
}

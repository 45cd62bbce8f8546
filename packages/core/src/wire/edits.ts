import { decodeUtf8 } from "./bytes.ts";

/** The new value of a member. Undefined removes the member. */
export interface MemberChange {
  readonly name: string;
  readonly value: unknown;
  /** The value as JSON, as text or in UTF-8, if already known. */
  readonly json?: string | Uint8Array;
}

/** The cache lifetimes of a prompt prefix that have a price. `other` has none. */
export type CacheTtl = "5m" | "1h" | "other";

/** A nested member that is not sent to every upstream, as ranges of bytes. */
export interface Removal {
  /**
   * `null` for an optional member that is always removed, the lifetime of a cache mark, which is removed if it has no price,
   * or `thoughts`, which are removed if the upstream does not read them.
   */
  readonly why: "null" | "thoughts" | CacheTtl;
  /** The start of its object. */
  readonly object: number;
  /** The number of members before it in its object. */
  readonly index: number;
  readonly keyStart: number;
  readonly valueEnd: number;
  /** The end of the member before it, or the start of the object. */
  readonly previousEnd: number;
  /** The start of the next key; undefined for the last member. */
  readonly nextStart: number | undefined;
}

/** Returns the ranges to omit in order, including the commas that they make superfluous. */
export function removedRanges(removals: readonly Removal[]) {
  const removed: { readonly from: number; readonly to: number }[] = [];
  let object = -1;
  let removedBefore = 0;
  for (const removal of removals) {
    if (removal.object !== object) removedBefore = 0;
    object = removal.object;
    const isFirst = removal.index === removedBefore++;
    removed.push(
      isFirst
        ? { from: removal.keyStart, to: removal.nextStart ?? removal.valueEnd }
        : { from: removal.previousEnd, to: removal.valueEnd },
    );
  }
  return removed;
}

const mark =
  /^\{\s*(?:"type"\s*:\s*"ephemeral"\s*(?:,\s*"ttl"\s*:\s*"(5m|1h)"\s*)?|"ttl"\s*:\s*"(5m|1h)"\s*,\s*"type"\s*:\s*"ephemeral"\s*)\}$/;

/** Longer than any cache mark, including some white space. */
const longestMark = 200;

/**
 * Returns the lifetime that a cache mark in the bytes of a JSON text requests. A mark of an unknown form is `other`, since
 * upstreams may interpret it differently.
 */
export function ttlOf(bytes: Uint8Array, start: number, end: number): CacheTtl {
  if (end - start > longestMark) return "other";
  const found = mark.exec(decodeUtf8(bytes.subarray(start, end)) ?? "");
  if (found === null) return "other";
  return (found[1] ?? found[2]) === "1h" ? "1h" : "5m";
}

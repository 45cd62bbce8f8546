/** How long a prefix of the prompt is to be cached, as far as it can be priced; `other` has no price. */
export type CacheTtl = "5m" | "1h" | "other";

/** A member of an object inside the request that upstreams are not always sent, as ranges of bytes. */
export interface Cut {
  /** An optional member that is null, which goes always, or a cache mark, which goes where its ttl is not priced. */
  readonly why: "null" | CacheTtl;
  /** Where its object starts. */
  readonly object: number;
  /** How many members stand before it in its object. */
  readonly index: number;
  readonly keyStart: number;
  readonly valueEnd: number;
  /** The end of the member before it, or the start of the object. */
  readonly previousEnd: number;
  /** Where the next key starts; undefined for the last member. */
  readonly nextStart: number | undefined;
}

/** A range of bytes that is left out. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The ranges to leave out, with the commas that are then too many, in order. */
export function gapsOf(cuts: readonly Cut[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let object = -1;
  let cutsBefore = 0;
  for (const cut of cuts) {
    if (cut.object !== object) cutsBefore = 0;
    object = cut.object;
    const isFirst = cut.index === cutsBefore++;
    gaps.push(
      isFirst ? { from: cut.keyStart, to: cut.nextStart ?? cut.valueEnd } : { from: cut.previousEnd, to: cut.valueEnd },
    );
  }
  return gaps;
}

const mark =
  /^\{\s*(?:"type"\s*:\s*"ephemeral"\s*(?:,\s*"ttl"\s*:\s*"(5m|1h)"\s*)?|"ttl"\s*:\s*"(5m|1h)"\s*,\s*"type"\s*:\s*"ephemeral"\s*)\}$/;

/** How long a mark asks to be cached. One of another form is `other`, since upstreams may read it in more than one way. */
export function ttlOf(json: string): CacheTtl {
  const found = mark.exec(json);
  if (found === null) return "other";
  return (found[1] ?? found[2]) === "1h" ? "1h" : "5m";
}

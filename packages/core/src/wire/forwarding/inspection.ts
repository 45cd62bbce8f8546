import type { CacheTtl, Removal } from "../edits.ts";
import type { JsonMember } from "../json-members.ts";
import type { Media } from "../media.ts";

/** Findings in the text of a request, which the value from JSON.parse does not show. */
export interface Inspection {
  /** The members of the request itself. */
  readonly members: readonly JsonMember[];
  /** The number of values in the request, including the request itself. */
  readonly values: number;
  /** The first member that is repeated or has another spelling. */
  readonly misspelt: Misspelt | undefined;
  /** Members that change the cost or route of a call, with the path of the first member of each name. */
  readonly pricedMembers: ReadonlyMap<string, string>;
  /** The ranges that are omitted for some upstreams, in order. */
  readonly removals: readonly Removal[];
  /** The cache lifetime that the top level of the request sets. */
  readonly ttl: CacheTtl | undefined;
  /** True if any part requests a one-hour cache. */
  readonly asksForHour: boolean;
  /** Members of the request that may request a feature under another name. */
  readonly spellings: readonly string[];
  /** An outline of its messages and tools, if the scan found them valid. Undefined if the request must be parsed to decide. */
  readonly outline: Outline | undefined;
}

/**
 * The messages and tools of a request, both of which match the schema if the bytes are UTF-8. Each is the type that it has in
 * the schema, or an empty text if there is only one.
 */
export interface Outline {
  readonly messages: readonly string[];
  readonly tools: readonly string[];
  readonly images: Media["images"];
}

/** A member that an upstream could read differently from the checks. */
export interface Misspelt {
  /** Its dot path, as it is written. */
  readonly param: string;
  readonly name: string;
  readonly isRepeated: boolean;
}

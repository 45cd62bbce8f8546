import type { MemberChange, Removal } from "../edits.ts";

/**
 * Requests are forwarded without parsing them as a whole, completions without serializing them, and the deltas of native
 * streams without parsing them. Tests and benchmarks set `reference` to `rewriteRequest`, with which everything is parsed and
 * serialized instead, to compare the two.
 */
export const shortcuts: {
  reference:
    | ((bytes: Uint8Array, changes: readonly MemberChange[], removals: readonly Removal[]) => Uint8Array)
    | undefined;
} = { reference: undefined };

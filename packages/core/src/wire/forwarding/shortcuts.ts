import type { MemberChange, Removal } from "../edits.ts";

/** Returns the text of a request with changes and without the members to remove. */
export type ChangeRequest = (
  bytes: Uint8Array,
  changes: readonly MemberChange[],
  removals: readonly Removal[],
) => Uint8Array;

/**
 * Requests are forwarded without parsing them as a whole, and completions without serializing them. Tests and benchmarks
 * set `reference` to `rewriteRequest`, with which everything is parsed and serialized instead, to compare the two.
 */
export const shortcuts: { reference: ChangeRequest | undefined } = { reference: undefined };

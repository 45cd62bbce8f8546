import type { Json } from "../../../wire/json.ts";

/** A member of an object's own, never one that it inherits. */
export function ownMember(values: { readonly [name: string]: Json }, name: string | undefined): Json | undefined {
  return name !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The item of an array at an index in decimal digits, without leading zeros. */
export function ownItem(values: readonly Json[], digits: string | undefined): Json | undefined {
  return digits !== undefined && Object.hasOwn(values, digits) ? values[Number(digits)] : undefined;
}

import type { Json } from "@tollgate/core/provider";

/** Returns an own member of an object, never an inherited one. */
export function ownMember(values: { readonly [name: string]: Json }, name: string | undefined): Json | undefined {
  return name !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Returns the item of an array at an index, which is given in decimal digits without leading zeros. */
export function ownItem(values: readonly Json[], digits: string | undefined): Json | undefined {
  return digits !== undefined && Object.hasOwn(values, digits) ? values[Number(digits)] : undefined;
}

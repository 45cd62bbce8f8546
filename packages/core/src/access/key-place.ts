/**
 * The member that names where a KeyStore keeps its keys, and where a BalanceStore looks up the key of a hold. With
 * different places every request would be refused, so `createGateway` compares the two. Custom stores need not have it.
 */
export const keyPlace: unique symbol = Symbol.for("tollgate.key-place");

/** Returns the place that a store names, or undefined. */
export function keyPlaceOf(store: object): string | undefined {
  const place: unknown = Reflect.get(store, keyPlace);
  return typeof place === "string" ? place : undefined;
}

/**
 * The member that names where a KeyStore keeps its keys, and where a BalanceStore looks up the key of a hold. With
 * different locations every request would be refused, so `createGateway` compares the two. Custom stores need not have it.
 */
export const keyLocation: unique symbol = Symbol.for("tollgate.key-location");

/** Returns the location that a store names, or undefined. */
export function keyLocationOf(store: object): string | undefined {
  const location: unknown = Reflect.get(store, keyLocation);
  return typeof location === "string" ? location : undefined;
}

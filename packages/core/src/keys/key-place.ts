/**
 * Names the place where a KeyStore keeps its keys, and where a BalanceStore looks for the key of a hold. A gateway whose
 * balances check keys elsewhere would refuse every request, so `createGateway` compares the two. Stores of a host's own
 * need not have it.
 */
export const keyPlace: unique symbol = Symbol.for("tollgate.key-place");

/** The place that a store names; undefined when it names none. */
export function keyPlaceOf(store: object): string | undefined {
  const place: unknown = Reflect.get(store, keyPlace);
  return typeof place === "string" ? place : undefined;
}

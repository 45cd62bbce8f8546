import { GatewayError } from "@tollgate/core";

/** Throws the 404 for a key that the account does not have. */
export function unknownKey(): never {
  throw new GatewayError("resource_not_found", "There is no key with this id. Use an id of GET /keys.");
}

/** Throws the 404 of a portal in which customers create no keys. */
export function noNewKeys(): never {
  throw new GatewayError("not_configured", "Keys are not created here. Ask the operator of this service for one.");
}

/** Throws the 409 for an account that has as many active keys as it may. */
export function mostKeysReached(most: number): never {
  throw new GatewayError(
    "conflict",
    `This account has ${most} active keys, as many as it may. Revoke one that is not used.`,
  );
}

/** Throws the 409 for an account with too many active keys that end at a time, such as rotated ones. */
export function tooManyRotations(): never {
  throw new GatewayError("conflict", "Too many rotated keys still work. Revoke the old ones, or wait until they end.");
}

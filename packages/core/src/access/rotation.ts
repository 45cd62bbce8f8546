import type { KeyState } from "../ports/key-admin.ts";
import type { ApiKey } from "../ports/key-store.ts";

/** True for a key that was revoked or has expired. */
export function hasEnded(key: ApiKey): boolean {
  return key.revokedAt !== undefined || (key.expiresAt !== undefined && key.expiresAt.getTime() <= Date.now());
}

/** Returns the members by which a new key continues the chain of the key that it replaces. */
export const successorOf = ({ id, limitsId = id }: ApiKey): Required<Pick<ApiKey, "rotatedFrom" | "limitsId">> => ({
  rotatedFrom: id,
  limitsId,
});

/** Returns the id by which the limits and the spend of a key are counted. */
export const limitsIdOf = ({ id, limitsId = id }: Pick<ApiKey, "id" | "limitsId">): string => limitsId;

/** Returns when a key that is rotated now expires: `graceMs` from now, or its own expiry if that is sooner. Throws a RangeError for an invalid `graceMs`. */
export function endOfGrace(key: Pick<ApiKey, "expiresAt">, graceMs: number): Date {
  if (!Number.isSafeInteger(graceMs) || graceMs < 0) {
    throw new RangeError(`graceMs must be a whole number of milliseconds of at least 0, not ${graceMs}.`);
  }
  const end = Date.now() + graceMs;
  return new Date(Math.min(end, key.expiresAt?.getTime() ?? end));
}

/** Returns whether a key is valid now, and if not, why. A revoked key that has also expired is "revoked". */
export function keyState(key: ApiKey): KeyState {
  if (key.revokedAt !== undefined) return "revoked";
  return hasEnded(key) ? "expired" : "active";
}

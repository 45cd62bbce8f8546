import type { ApiKey } from "../ports/key-store.ts";

/** True for a key that was revoked or has expired. */
export function hasEnded(key: ApiKey): boolean {
  return key.revokedAt !== undefined || (key.expiresAt !== undefined && key.expiresAt.getTime() <= Date.now());
}

/** Returns when a key that is rotated now expires: `graceMs` from now, or its own expiry if that is sooner. Throws a RangeError for an invalid `graceMs`. */
export function endOfGrace(key: ApiKey, graceMs: number): Date {
  if (!Number.isSafeInteger(graceMs) || graceMs < 0) {
    throw new RangeError(`graceMs must be a whole number of milliseconds of at least 0, not ${graceMs}.`);
  }
  const end = Date.now() + graceMs;
  return new Date(Math.min(end, key.expiresAt?.getTime() ?? end));
}

import type { ApiKey } from "../ports/key-store.ts";

/** True for a key that was revoked or has expired. */
export function hasEnded(key: ApiKey): boolean {
  return key.revokedAt !== undefined || (key.expiresAt !== undefined && key.expiresAt.getTime() <= Date.now());
}

/** When a key ends that is replaced now: `graceMs` from now, unless it ends sooner. Throws a RangeError for a grace that is no whole number from 0. */
export function endOfGrace(key: ApiKey, graceMs: number): Date {
  if (!Number.isSafeInteger(graceMs) || graceMs < 0) {
    throw new RangeError(`graceMs must be a whole number of milliseconds from 0 upwards, not ${graceMs}.`);
  }
  const end = Date.now() + graceMs;
  return new Date(Math.min(end, key.expiresAt?.getTime() ?? end));
}

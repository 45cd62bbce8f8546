import type { KeyState } from "../ports/key-admin.ts";
import type { ApiKey } from "../ports/key-store.ts";
import { hasEnded } from "./rotation.ts";

/** Returns whether a key is valid now, and if not, why. A revoked key that has also expired is "revoked". */
export function keyState(key: ApiKey): KeyState {
  if (key.revokedAt !== undefined) return "revoked";
  return hasEnded(key) ? "expired" : "active";
}

import {
  type ApiKey,
  changeKey,
  type IssuedKey,
  type KeyAdmin,
  type KeyChanges,
  type NewKey,
} from "@tollgate/core/store";
import { type Administrator, audited, type Change } from "./audited.ts";
import { shownKey } from "./shown-key.ts";

/** Creates a key, as an audited change. */
export function createKey(admin: Administrator, keys: KeyAdmin, wanted: NewKey): Promise<IssuedKey> {
  const { account, plan } = wanted;
  const change = { action: "key.create", subject: `account:${account}`, after: { plan } };
  return audited(admin, change, () => admin.ask(() => keys.create(wanted)), created);
}

/** Changes members of a key, as an audited change. Undefined: it does not exist any more. */
export function updateKey(
  admin: Administrator,
  keys: KeyAdmin,
  key: ApiKey,
  changes: KeyChanges,
): Promise<ApiKey | undefined> {
  const states = { before: shownKey(key), after: shownKey(changeKey(key, changes)) };
  const change = { action: "key.update", subject: `key:${key.id}`, ...states };
  return audited(admin, change, () => admin.ask(() => keys.update(key.id, changes)));
}

/** Revokes a key, as an audited change; one that is revoked stays as it is. Undefined: it does not exist any more. */
export async function revokeKey(admin: Administrator, keys: KeyAdmin, key: ApiKey): Promise<ApiKey | undefined> {
  if (key.revokedAt !== undefined) return key;
  const states = { before: shownKey(key), after: shownKey({ ...key, revokedAt: new Date() }) };
  const change = { action: "key.revoke", subject: `key:${key.id}`, ...states };
  return audited(admin, change, () => admin.ask(() => keys.revoke(key.id)));
}

/** Rotates an active key, as an audited change. `ended` makes the error for one that ended in the meantime. */
export function rotateKey(
  admin: Administrator,
  keys: KeyAdmin,
  key: ApiKey,
  graceMs: number,
  ended: () => Error,
): Promise<IssuedKey> {
  const after = { grace_seconds: graceMs / 1_000 };
  const change = { action: "key.rotate", subject: `key:${key.id}`, before: shownKey(key), after };
  const rotate = async () => {
    const issued = await admin.ask(() => keys.rotate(key.id, { graceMs }));
    if (issued === undefined) throw ended();
    return issued;
  };
  return audited(admin, change, rotate, created);
}

const created = ({ key }: IssuedKey): Change => ({
  action: "key.created",
  subject: `key:${key.id}`,
  after: shownKey(key),
});

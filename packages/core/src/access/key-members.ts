import { checkedKeyMembers } from "../ports/check-arguments.ts";
import type { KeyChanges } from "../ports/key-admin.ts";
import type { ApiKey } from "../ports/key-store.ts";
import type { NewSpendLimit } from "../ports/spend-limit.ts";

/** The members of a key that can be changed after its creation. */
export type KeyMembers = Pick<ApiKey, keyof KeyChanges>;

/** Members that may be null or undefined. The spend limit may be a new one. */
type Given<Spend> = {
  readonly [Name in keyof Omit<KeyMembers, "spend">]: KeyMembers[Name] | null | undefined;
} & { readonly spend?: Spend | null | undefined };

/** Returns the members that have a value, without those that are null or undefined. */
export function presentMembers<Spend extends NewSpendLimit>(
  given: Given<Spend>,
): Omit<KeyMembers, "spend"> & { readonly spend?: Spend } {
  const { name, models, features, dialects, scopes, limits, spend, tags, logContent, expiresAt } = given;
  return {
    ...(name == null ? {} : { name }),
    ...(models == null ? {} : { models }),
    ...(features == null ? {} : { features }),
    ...(dialects == null ? {} : { dialects }),
    ...(scopes == null ? {} : { scopes }),
    ...(limits == null ? {} : { limits }),
    ...(spend == null ? {} : { spend }),
    ...(tags == null ? {} : { tags }),
    ...(logContent == null ? {} : { logContent }),
    ...(expiresAt == null ? {} : { expiresAt }),
  };
}

/**
 * Returns a changed copy of a key, for a store that reads and writes a key in one transaction. Throws a RangeError for
 * invalid limits, an invalid spend limit or invalid tags.
 */
export function changeKey(key: ApiKey, changes: KeyChanges): ApiKey {
  const { name, models, features, dialects, scopes, limits, spend, tags, logContent, expiresAt, ...identity } = key;
  const members = { name, models, features, dialects, scopes, limits, spend, tags, logContent, expiresAt };
  // What was checked has no undefined members, and a member that is null removes one.
  return structuredClone({ ...identity, ...presentMembers({ ...members, ...checkedKeyMembers(changes) }) });
}

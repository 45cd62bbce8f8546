import type { ApiKey, KeyChanges } from "@tollgate/core/store";
import { writeSpendLimit } from "@tollgate/core/store";

const columns: Readonly<Record<keyof KeyChanges, string>> = {
  name: "name",
  models: "models",
  features: "features",
  dialects: "dialects",
  limits: "limits",
  spend: "spend",
  tags: "tags",
  logContent: "log_content",
  expiresAt: "expires_at",
};

/** The columns that the changes set. An undefined member changes nothing. */
export const changedColumns = (changes: KeyChanges): readonly string[] =>
  Object.entries(columns).flatMap(([name, column]) => (Reflect.get(changes, name) === undefined ? [] : [column]));

/** The values of the members of a key, in the order in which the statements list them. An absent member becomes NULL. */
export function memberValues(key: { readonly [Name in keyof KeyChanges]: ApiKey[Name] | null | undefined }): unknown[] {
  const { name, models, features, dialects, limits, spend, tags, logContent, expiresAt } = key;
  return [
    name,
    ...[models, features, dialects, limits].map(toJson),
    spend && writeSpendLimit(spend),
    toJson(tags),
    logContent,
    expiresAt?.getTime(),
  ];
}

const toJson = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

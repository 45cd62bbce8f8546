import type { ShownKey } from "@tollgate/management/operations";
import type { Field } from "../output/table.ts";
import { describeSpend } from "./spend-options.ts";

/** The fields of a key in text output. */
export const keyFields = (key: ShownKey): readonly Field[] => [
  ["id", key.id],
  ["state", key.state],
  ["account", key.account],
  ["plan", key.plan],
  ["name", key.name],
  ["last four", key.last_four],
  ["models", key.models?.join(", ")],
  ["features", key.features?.join(", ")],
  ["dialects", key.dialects?.join(", ")],
  ["limits", key.limits && describeLimits(key.limits)],
  ["spend", key.spend && describeSpend(key.spend)],
  ["tags", key.tags.length === 0 ? undefined : key.tags.join(", ")],
  ["content", key.log_content ? "stored" : undefined],
  ["created", key.created_at],
  ["expires", key.expires_at],
  ["revoked", key.revoked_at],
  ["replaces", key.rotated_from],
];

type Limits = NonNullable<ShownKey["limits"]>;

const describeLimits = ({ requests, tokens, concurrency }: Limits): string =>
  [
    ...describeWindow("requests", requests),
    ...describeWindow("tokens", tokens),
    ...(concurrency === null ? [] : [`${concurrency} concurrent requests`]),
  ].join(", ");

const describeWindow = (what: string, window: Limits["requests"]): readonly string[] =>
  window === null ? [] : [`${window.limit} ${what} in ${window.window_seconds} s`];

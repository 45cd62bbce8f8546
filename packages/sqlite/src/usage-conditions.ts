import type { TotalKind, UsageDimension, UsageFilter } from "@tollgate/core/store";
import { type Parameter, searchable } from "./parameters.ts";

/** A condition on rows of tollgate_usage, and its parameters. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly Parameter[];
}

/** The expression for the value of a dimension; "" for rows without one. */
export const dimensionSql: Readonly<Record<UsageDimension, string>> = {
  model: "coalesce(model, '')",
  account: "account",
  key: "key_id",
  target: "coalesce(provider || '/' || upstream_model, '')",
  dialect: "dialect",
  status: "CAST(status AS TEXT)",
};

/** The name of a kind of totals, such as "model day". */
export const kindName = ({ dimension, grain }: TotalKind): string => `${dimension} ${grain}`;

/** Returns the conditions of a filter. */
export function filterConditions(filter: UsageFilter = {}): readonly Condition[] {
  const texts: readonly (readonly [sql: string, value: string | undefined])[] = [
    ["model = ?", filter.model],
    ["account = ?", filter.account],
    ["key_id = ?", filter.key],
    ["provider || '/' || upstream_model = ?", filter.target],
    ["dialect = ?", filter.dialect],
    ["session_id = ?", filter.session],
    ["end_user = ?", filter.endUser],
    ["EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)", filter.tag],
    ["request_id = ?", filter.requestId],
    ["id = ?", filter.id],
  ];
  return [
    ...texts.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, values: [searchable(value)] }])),
    ...(filter.status === undefined ? [] : [{ sql: "status = ?", values: [filter.status] }]),
    ...(filter.failed === true ? [{ sql: "failed = 1", values: [] }] : []),
  ];
}

/** Joins conditions to one. */
export function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.length === 0 ? "TRUE" : conditions.map(({ sql }) => sql).join(" AND "),
    values: conditions.flatMap(({ values }) => values),
  };
}

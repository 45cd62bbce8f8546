import type { UsageDimension, UsageFilter } from "@tollgate/core/store";
import { timestampOf } from "./statements/times.ts";
import { isStorableText } from "./storable-values.ts";

/** The expression for the value of a dimension; "" for rows without one. That of a tag needs {@link tagsOfRow}. */
export const dimensionSql: Readonly<Record<UsageDimension, string>> = {
  model: "coalesce(model, '')",
  account: "account_id",
  key: "key_id",
  target: "coalesce(provider || '/' || upstream_model, '')",
  dialect: "dialect",
  status: "status::text",
  end_user: `coalesce(end_user, '') COLLATE "C"`,
  tag: "tag.name",
};

const tags = `LATERAL (
    SELECT DISTINCT unnest(CASE WHEN cardinality(tags) = 0 THEN ARRAY[''] ELSE tags END) COLLATE "C" AS name) AS tag`;

/** Joins each row to its tags, each once; to "" if it has none. */
export const tagsOfRow = `CROSS JOIN ${tags}`;

/** Joins each row to its tags for the totals of a tag, and otherwise to none. */
export const tagsOfKind = `LEFT JOIN ${tags} ON kind.dimension = 'tag'`;

/** The values of a statement, each of which gets the name of a parameter. */
export class Values {
  readonly list: unknown[] = [];

  /** Adds a value and returns its parameter, such as `$1`. */
  add(value: unknown): string {
    return `$${this.list.push(value)}`;
  }

  /** Adds a time and returns its expression. */
  time(at: Date): string {
    return timestampOf(this.add(at.getTime()));
  }
}

/** Returns the conditions of a filter, joined. Text that PostgreSQL cannot store equals nothing. */
export function filterSql(values: Values, filter: UsageFilter = {}): readonly string[] {
  const texts: readonly (readonly [expression: string, value: string | undefined])[] = [
    ["model", filter.model],
    ["account_id", filter.account],
    ["key_id", filter.key],
    ["provider || '/' || upstream_model", filter.target],
    ["dialect", filter.dialect],
    ["session_id", filter.session],
    ["end_user", filter.endUser],
    ["request_id", filter.requestId],
    ["answer_id", filter.answerId],
    ["id", filter.id],
  ];
  return [
    ...texts.flatMap(([expression, value]) => (value === undefined ? [] : [equalSql(values, expression, value)])),
    ...(filter.tag === undefined ? [] : [equalSql(values, "ANY (tags)", filter.tag)]),
    ...(filter.status === undefined ? [] : [`status = ${values.add(filter.status)}::integer`]),
    ...outcomeSql(filter),
  ];
}

/** The column `failed` counts refused requests too. */
function outcomeSql({ failed = false, refused = false }: UsageFilter): readonly string[] {
  if (!failed && !refused) return [];
  const refusal = "status BETWEEN 400 AND 499";
  return [failed && refused ? "failed" : refused ? refusal : `failed AND NOT (${refusal})`];
}

/** Returns the condition that an expression equals a text. */
export function equalSql(values: Values, expression: string, text: string): string {
  return isStorableText(text) ? `${values.add(text)}::text = ${expression}` : "FALSE";
}

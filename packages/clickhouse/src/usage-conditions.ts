import type { UsageDimension, UsageFilter } from "@tollgate/core/store";
import { equalSql, ifStorable } from "./sql.ts";

/** The condition that selects rows, and neither totals nor other accounts' scopes. */
export const isRow = "kind = 'row' AND scope = ''";

/** The expression for the value of a dimension of a row; "" without one. With tags, it returns a row for each. */
export const dimensionSql: Readonly<Record<UsageDimension, string>> = {
  model: "ifNull(model, '')",
  account: "account_id",
  key: "key_id",
  target: "ifNull(concat(provider, '/', upstream_model), '')",
  dialect: "toString(dialect)",
  status: "toString(status)",
  end_user: "ifNull(end_user, '')",
  tag: "arrayJoin(if(empty(tags), [''], arrayDistinct(tags)))",
};

/** Returns the conditions of a filter of rows, joined. */
export function filterSql(filter: UsageFilter = {}): readonly string[] {
  const texts: readonly (readonly [expression: string, value: string | undefined])[] = [
    ["model", filter.model],
    ["account_id", filter.account],
    ["key_id", filter.key],
    ["concat(provider, '/', upstream_model)", filter.target],
    ["dialect", filter.dialect],
    ["session_id", filter.session],
    ["end_user", filter.endUser],
    ["request_id", filter.requestId],
    ["answer_id", filter.answerId],
    ["name", filter.id],
  ];
  return [
    ...texts.flatMap(([expression, value]) => (value === undefined ? [] : [equalSql(expression, value)])),
    ...(filter.tag === undefined ? [] : [ifStorable(filter.tag, (tag) => `has(tags, ${tag})`)]),
    ...(filter.status === undefined ? [] : [`status = ${Math.trunc(filter.status)}`]),
    ...outcomeSql(filter),
  ];
}

/** The column `failed` counts refused requests too. */
function outcomeSql({ failed = false, refused = false }: UsageFilter): readonly string[] {
  if (!failed && !refused) return [];
  return [failed && refused ? "failed > 0" : refused ? "refused > 0" : "failed > refused"];
}

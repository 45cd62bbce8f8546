import type { Query } from "@tollgate/page-kit/api/client.ts";
import type { Choices } from "@tollgate/page-kit/design/fields.tsx";
import { bucketOf, rangeQuery, readRange, type TimeRange } from "@tollgate/page-kit/design/time-range.ts";
import type { Bucket, Dimension } from "../../api/answers.ts";
import { filterQuery, usageFilters } from "../../state/usage-filters.ts";
import { type MeasureId, readMeasure } from "./measures.ts";

/** What the address asks of the page. */
export interface UsageView {
  readonly range: TimeRange;
  readonly bucket: Bucket;
  readonly measure: MeasureId;
  /** "class" splits tokens by class; "none" shows one series. */
  readonly group: Dimension | "class" | "none";
  readonly filters: Readonly<Record<string, string | undefined>>;
}

const dimensions = ["model", "account", "key", "target", "dialect", "status", "end_user", "tag"] as const;
const names: Readonly<Record<UsageView["group"], string>> = { ...usageFilters, class: "Token class", none: "Nothing" };

/** Groups beyond this number are summed. */
const chartedGroups = 7;
const listedGroups = 100;

/** Reads the view of an address. The default is cost of the last seven days by model. */
export function readView(query: Readonly<Record<string, string>>, now: number): UsageView {
  const range = readRange(query, now, "7d") ?? { from: now - 1, to: now };
  const measure = readMeasure(query["measure"]);
  const asked = query["group"];
  const group =
    asked === "none" || (asked === "class" && measure === "tokens")
      ? asked
      : (dimensions.find((dimension) => dimension === asked) ?? "model");
  return { range, bucket: bucketOf(range), measure, group, filters: filterQuery(query, usageFilters) };
}

/** The choices of the grouping. Only tokens have classes. */
export function groupChoices(measure: MeasureId): Choices {
  const groups = [...dimensions, ...(measure === "tokens" ? (["class"] as const) : []), "none"] as const;
  return groups.map((group) => [group, names[group]]);
}

/** Names a grouping. */
export const groupName = (group: UsageView["group"]): string => names[group];

/** Returns the dimension by which the API groups; undefined for one series. */
export const dimensionOf = ({ group }: UsageView): Dimension | undefined =>
  group === "class" || group === "none" ? undefined : group;

/** The parameters of the chart. */
export function chartQuery(view: UsageView): Query {
  return { ...rangeQuery(view.range), ...view.filters, bucket: view.bucket, ...grouping(view, chartedGroups) };
}

/** The parameters of the table below it. */
export function tableQuery(view: UsageView): Query {
  return { ...rangeQuery(view.range), ...view.filters, bucket: "all", ...grouping(view, listedGroups) };
}

/** The parameters of the totals of a period. */
export function totalsQuery(view: UsageView, range: TimeRange): Query {
  return { ...rangeQuery(range), ...view.filters, bucket: "all" };
}

function grouping(view: UsageView, top: number): Query {
  const dimension = dimensionOf(view);
  return dimension === undefined ? {} : { group_by: dimension, top };
}

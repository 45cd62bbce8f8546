import { changeText, shareText } from "@tollgate/page-kit/design/figures.ts";
import { periodBefore, type TimeRange } from "@tollgate/page-kit/design/time-range.ts";
import { currency } from "@tollgate/page-kit/state/currency.ts";
import type { Address } from "@tollgate/page-kit/state/location.ts";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { UsageRow } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { type MeasureId, measures, valueText } from "./measures.ts";
import { totalsQuery, type UsageView } from "./usage-query.ts";

/** The four totals. A click shows one in the chart. */
const shown: readonly MeasureId[] = ["cost", "requests", "tokens", "error_share"];
const pollMs = 30_000;

/** Four totals of the period, each with its change against the period before. */
export function Totals({ view, at }: { readonly view: UsageView; readonly at: Address }) {
  const now = useTotals(view, view.range);
  const before = useTotals(view, periodBefore(view.range));
  return (
    <ul class="totals" aria-label="Totals of the period">
      {shown.map((id) => (
        <li key={id}>
          <a
            href={at.href({
              measure: id === "cost" ? undefined : id,
              group: id === "tokens" ? at.query["group"] : known(at),
            })}
            aria-current={view.measure === id ? "true" : undefined}
          >
            <span class="muted">{measures[id].name}</span>
            <TotalValue measure={id} now={now} before={before} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Only tokens have classes. */
const known = (at: Address): string | undefined => (at.query["group"] === "class" ? undefined : at.query["group"]);

interface TotalValueProps {
  readonly measure: MeasureId;
  readonly now: ReturnType<typeof useTotals>;
  readonly before: ReturnType<typeof useTotals>;
}

function TotalValue({ measure, now, before }: TotalValueProps) {
  if (now === undefined) return <div class="skeleton-line total-skeleton" />;
  const value = now === null ? (measure === "error_share" ? null : 0) : measures[measure].of(now);
  const earlier = before == null ? null : measures[measure].of(before);
  return (
    <>
      <span class="total-figure">{valueText(measures[measure], value, currency.value, true)}</span>
      <span class="muted change">{changeOf(measure, value, earlier)}</span>
    </>
  );
}

/** Says how a value changed. Shares change by points, which percent of percent would hide. */
function changeOf(measure: MeasureId, value: number | null, before: number | null): string {
  if (value === null || before === null) return "No period before";
  if (measure === "error_share") return `${shareText(before)} in the period before`;
  if (before === 0) return value === 0 ? "No change" : "None in the period before";
  const share = (value - before) / before;
  return Math.abs(share) < 0.005 ? "Same as the period before" : `${changeText(share)} from the period before`;
}

/** Undefined while loading; null without requests. */
function useTotals(view: UsageView, range: TimeRange): UsageRow | null | undefined {
  const query = totalsQuery(view, range);
  const { data } = useResource(operation("GET", "/usage"), query, pollMs);
  return data.value && (data.value.data[0] ?? null);
}

import { useSignal } from "@preact/signals";
import { Chart } from "../../charts/chart.tsx";
import type { ChartData } from "../../charts/chart-data.ts";
import { bucketStart, nextBucket, rangeQuery } from "../../design/time-range.ts";
import type { Address } from "../../state/location.ts";
import { currency } from "../../state/me.ts";
import { ChartLegend } from "./chart-legend.tsx";
import { ChartTable } from "./chart-table.tsx";
import { type Measure, measures } from "./measures.ts";
import { groupName, type UsageView } from "./usage-query.ts";
import { valueText } from "./value-text.ts";

interface UsageChartProps {
  readonly view: UsageView;
  /** Undefined while loading. */
  readonly data: ChartData | undefined;
  readonly at: Address;
}

/** The chart with its legend and its data as a table. */
export function UsageChart({ view, data, at }: UsageChartProps) {
  const hovered = useSignal<number | undefined>(undefined);
  const shown = useLast(data);
  const measure: Measure = measures[view.measure];
  const text = (value: number | null): string => valueText(measure, value, currency.value);
  if (shown === undefined) return <div class="chart-place" aria-busy="true" />;
  const label = `${measure.name} by ${groupName(view.group).toLowerCase()}. The data is in the table below the chart.`;
  return (
    <section class={data === undefined ? "chart-place stale" : "chart-place"} aria-label={measure.name}>
      <Chart
        data={shown}
        label={label}
        valueText={(value) => valueText(measure, value, currency.value, true)}
        onHover={(index) => (hovered.value = index)}
        onZoom={(from, to) => at.go({ range: undefined, ...zoomed(view, from, to) })}
      />
      <ChartLegend data={shown} measure={measure} text={text} hovered={hovered} />
      {view.bucket !== "hour" && <p class="muted">Days begin at midnight UTC. Drag in the chart to zoom.</p>}
      <ChartTable data={shown} text={text} measure={measure} />
    </section>
  );
}

/** Whole buckets around a selection, in seconds. */
function zoomed({ bucket }: UsageView, from: number, to: number) {
  return rangeQuery({ from: bucketStart(from * 1_000, bucket), to: nextBucket(to * 1_000 - 1, bucket) });
}

/** Keeps the last chart while another is loading. */
function useLast(chart: ChartData | undefined): ChartData | undefined {
  const last = useSignal(chart);
  if (chart !== undefined) last.value = chart;
  return chart ?? last.peek();
}

import { type ReadonlySignal, useSignal } from "@preact/signals";
import { DataTable } from "@tollgate/page-kit/design/data-table.tsx";
import { bucketStart, nextBucket, rangeQuery } from "@tollgate/page-kit/design/time-range.ts";
import { currency } from "@tollgate/page-kit/state/currency.ts";
import type { Address } from "@tollgate/page-kit/state/location.ts";
import { Chart, type ChartData, type ChartSeries } from "../../charts/chart.tsx";
import { type Measure, measures, valueText } from "./measures.ts";
import { groupName, type UsageView } from "./usage-query.ts";

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

interface ChartLegendProps {
  readonly data: ChartData;
  readonly measure: Measure;
  readonly text: (value: number | null) => string;
  /** The index of the bucket under the cursor. */
  readonly hovered: ReadonlySignal<number | undefined>;
}

/** The series with their colours and values: of the bucket under the cursor, or of the whole period. */
function ChartLegend({ data, measure, text, hovered }: ChartLegendProps) {
  const index = hovered.value;
  const total = (series: ChartSeries): string | undefined => {
    if (index !== undefined) return text(series.values[index] ?? null);
    return measure.additive ? text(series.values.reduce<number>((sum, each) => sum + (each ?? 0), 0)) : undefined;
  };
  return (
    <div class="legend">
      <p class="legend-when" role="status">
        {index === undefined ? "Whole period" : data.labels[index]}
      </p>
      <ul>
        {data.series.map((series) => (
          <li key={series.name}>
            <span class={`swatch series-${series.colour}`} aria-hidden="true" />
            <span class="legend-name" title={series.name}>
              {series.name}
            </span>
            <span class="figure">{total(series)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The data of the chart as a table, on demand. */
function ChartTable({ data, measure, text }: Omit<ChartLegendProps, "hovered">) {
  return (
    <details class="chart-data">
      <summary>Data of the chart</summary>
      <DataTable
        label={`${measure.name} over time`}
        rows={data.labels.map((_, index) => index)}
        identify={String}
        columns={[
          { header: "Time", cell: (index: number) => data.labels[index] },
          ...data.series.map(({ name, values }) => ({
            header: name,
            numeric: true,
            cell: (index: number) => text(values[index] ?? null),
          })),
        ]}
      />
    </details>
  );
}

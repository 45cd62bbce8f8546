import type { ReadonlySignal } from "@preact/signals";
import type { ChartData, ChartSeries } from "../../charts/chart-data.ts";
import type { Measure } from "./measures.ts";

interface ChartLegendProps {
  readonly data: ChartData;
  readonly measure: Measure;
  readonly text: (value: number | null) => string;
  /** The index of the bucket under the cursor. */
  readonly hovered: ReadonlySignal<number | undefined>;
}

/** The series with their colours and values: of the bucket under the cursor, or of the whole period. */
export function ChartLegend({ data, measure, text, hovered }: ChartLegendProps) {
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

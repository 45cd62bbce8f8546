import type { ChartData } from "../../charts/chart-data.ts";
import { DataTable } from "../../design/data-table.tsx";
import type { Measure } from "./measures.ts";

interface ChartTableProps {
  readonly data: ChartData;
  readonly measure: Measure;
  readonly text: (value: number | null) => string;
}

/** The data of the chart as a table, on demand. */
export function ChartTable({ data, measure, text }: ChartTableProps) {
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

import type { Bucket } from "@tollgate/page-kit/api/answers.ts";
import { DataTable } from "@tollgate/page-kit/design/data-table.tsx";
import { amountText, countText } from "@tollgate/page-kit/design/figures.ts";
import { bucketStarts, bucketText, type TimeRange } from "@tollgate/page-kit/design/time-range.ts";
import { Money } from "@tollgate/page-kit/design/values.tsx";
import { currency } from "@tollgate/page-kit/state/currency.ts";
import { fill } from "@tollgate/page-kit/texts.ts";
import type { OwnUsage } from "../../api/answers.ts";
import { texts } from "../../texts.ts";

interface CostBarsProps {
  /** Undefined while loading. */
  readonly rows: OwnUsage["data"] | undefined;
  readonly range: TimeRange;
  readonly bucket: Bucket;
}

/** The cost of each bucket as a bar, with the values in a table below. The heights are for the eye: the amounts are in the table. */
export function CostBars({ rows, range, bucket }: CostBarsProps) {
  if (rows === undefined) return <div class="bars" aria-hidden="true" />;
  const byStart = new Map(rows.map((row) => [Date.parse(row.start), row]));
  const bars = bucketStarts(range, bucket).map((start) => ({ start, row: byStart.get(start) }));
  const highest = Math.max(...rows.map(({ cost }) => Number(cost)), Number.MIN_VALUE);
  const label = fill(texts.usage.chart, { total: amountText(sumOf(rows), currency.value) });
  return (
    <>
      <div class="bars" role="img" aria-label={label}>
        {bars.map(({ start, row }) => (
          <span
            key={start}
            class="bar"
            title={`${bucketText(start, bucket)}: ${amountText(row?.cost ?? "0", currency.value)}`}
            style={{ height: `${((Number(row?.cost ?? 0) / highest) * 100).toFixed(1)}%` }}
          />
        ))}
      </div>
      <div class="bars-ends" aria-hidden="true">
        <span>{bucketText(bars[0]?.start ?? range.from, bucket)}</span>
        <span>{bucketText(bars.at(-1)?.start ?? range.to, bucket)}</span>
      </div>
      <details class="chart-data">
        <summary>{texts.usage.data}</summary>
        <DataTable
          label={texts.usage.data}
          rows={rows}
          identify={({ start }) => start}
          columns={[
            { header: texts.usage.time, cell: ({ start }) => bucketText(Date.parse(start), bucket) },
            { header: texts.usage.total, numeric: true, cell: ({ cost }) => <Money amount={cost} exact /> },
            { header: texts.usage.requests, numeric: true, cell: ({ requests }) => countText(requests) },
          ]}
        />
      </details>
    </>
  );
}

const nanoDigits = 9;

/** Adds decimal strings exactly. */
function sumOf(rows: OwnUsage["data"]): string {
  const nano = rows.reduce((sum, { cost }) => {
    const [whole = "0", fraction = ""] = cost.split(".");
    return sum + BigInt(whole + fraction.padEnd(nanoDigits, "0"));
  }, 0n);
  const digits = String(nano).padStart(nanoDigits + 1, "0");
  return `${digits.slice(0, -nanoDigits)}.${digits.slice(-nanoDigits)}`;
}

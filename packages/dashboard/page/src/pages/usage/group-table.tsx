import { type Column, DataTable } from "@tollgate/page-kit/design/data-table.tsx";
import { countText, durationText, freshInput, shareText } from "@tollgate/page-kit/design/figures.ts";
import { Money } from "@tollgate/page-kit/design/values.tsx";
import type { Address } from "@tollgate/page-kit/state/location.ts";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { UsageRow } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import type { ChartData } from "../../charts/chart.tsx";
import { dimensionOf, groupName, tableQuery, type UsageView } from "./usage-query.ts";

const pollMs = 30_000;

interface GroupTableProps {
  readonly view: UsageView;
  /** What the chart shows, whose colours the table repeats. */
  readonly drawn: ChartData | undefined;
  readonly at: Address;
}

/** The groups of the view with all measures, the highest cost first. */
export function GroupTable({ view, drawn, at }: GroupTableProps) {
  const query = tableQuery(view);
  const usage = useResource(operation("GET", "/usage"), query, pollMs);
  const rows = usage.data.value?.data;
  return (
    <DataTable
      label={`Usage by ${groupName(view.group).toLowerCase()}`}
      columns={columnsOf(view, drawn, at)}
      rows={rows}
      identify={({ group, others }) => (others ? "others" : `group ${group ?? ""}`)}
      stale={usage.stale.value}
    />
  );
}

function columnsOf(view: UsageView, drawn: ChartData | undefined, at: Address): readonly Column<UsageRow>[] {
  const dimension = dimensionOf(view);
  const colours = new Map(drawn?.series.map(({ name, colour }) => [name, colour]));
  return [
    {
      header: dimension === undefined ? "Total" : groupName(dimension),
      cell: (row) => <GroupName row={row} dimension={dimension} colours={colours} at={at} />,
    },
    { header: "Cost", numeric: true, cell: (row) => <Money amount={row.cost} /> },
    { header: "Margin", numeric: true, wideOnly: true, cell: (row) => <Money amount={row.margin} /> },
    { header: "Requests", numeric: true, cell: (row) => countText(row.requests) },
    {
      header: "Errors",
      numeric: true,
      cell: (row) => shareText(row.requests === 0 ? null : row.failed / row.requests),
    },
    {
      header: "Refused",
      numeric: true,
      wideOnly: true,
      cell: (row) => shareText(row.requests === 0 ? null : row.refused / row.requests),
    },
    { header: "Fresh input", numeric: true, wideOnly: true, cell: ({ tokens }) => countText(freshInput(tokens)) },
    { header: "Cache read", numeric: true, wideOnly: true, cell: ({ tokens }) => countText(tokens.cached_input) },
    { header: "Output", numeric: true, wideOnly: true, cell: ({ tokens }) => countText(tokens.output) },
    { header: "p50", numeric: true, wideOnly: true, cell: (row) => durationText(row.p50_ms) },
    { header: "p95", numeric: true, wideOnly: true, cell: (row) => durationText(row.p95_ms) },
  ];
}

interface GroupNameProps {
  readonly row: UsageRow;
  readonly dimension: string | undefined;
  readonly colours: ReadonlyMap<string, number | "others">;
  readonly at: Address;
}

/** A group, which a click makes the filter. */
function GroupName({ row, dimension, colours, at }: GroupNameProps) {
  if (dimension === undefined) return <>All requests</>;
  const name = row.others ? "Others" : (row.group ?? "None");
  return (
    <span class="group-name">
      <span class={`swatch series-${colours.get(name) ?? "others"}`} aria-hidden="true" />
      {row.others || row.group === null ? (
        name
      ) : (
        <a href={at.href({ [dimension]: row.group })} data-row={row.group}>
          {name}
        </a>
      )}
    </span>
  );
}

import { ExportCsv } from "@tollgate/page-kit/design/controls.tsx";
import { Select } from "@tollgate/page-kit/design/fields.tsx";
import { AddFilter, FilterChips } from "@tollgate/page-kit/design/filters.tsx";
import { EmptyState, PageHeader } from "@tollgate/page-kit/design/layout.tsx";
import { NoMatch } from "@tollgate/page-kit/design/list-table.tsx";
import { Problem } from "@tollgate/page-kit/design/loaded.tsx";
import { rangeChoices } from "@tollgate/page-kit/design/time-range.ts";
import { type Address, useAddress } from "@tollgate/page-kit/state/location.ts";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import { useMemo } from "preact/hooks";
import { operation } from "../../api/operations.ts";
import { outcomeFilters, usageFilters } from "../../state/usage-filters.ts";
import { GroupTable } from "./group-table.tsx";
import { measureChoices } from "./measures.ts";
import { Totals } from "./totals.tsx";
import { UsageChart } from "./usage-chart.tsx";
import { chartQuery, groupChoices, readView, tableQuery, type UsageView } from "./usage-query.ts";
import { usageChart } from "./usage-series.ts";

const usage = operation("GET", "/usage");
const pollMs = 30_000;

/** What was spent: one chart with a measure and a grouping, four totals, and a table. */
export function UsagePage() {
  const at = useAddress();
  const view = readView(at.query, Date.now());
  const chart = useResource(usage, chartQuery(view), pollMs);
  const loaded = chart.stale.value ? undefined : chart.data.value;
  const drawn = useMemo(() => loaded && usageChart(view, loaded.data), [loaded, view.measure, view.group]);
  const isEmpty = chart.data.value?.data.length === 0;
  const filtered = Object.values(view.filters).some((value) => value !== undefined);
  return (
    <>
      <PageHeader title="Usage" updatedAt={chart.updatedAt.value}>
        <ExportCsv list={usage} query={tableQuery(view)} name="usage" />
      </PageHeader>
      <UsageToolbar at={at} view={view} />
      <Problem error={chart.error.value} retry={chart.reload} />
      <Totals view={view} at={at} />
      {isEmpty ? (
        <NoUsage filtered={filtered} at={at} />
      ) : (
        <>
          <UsageChart view={view} data={drawn} at={at} />
          <GroupTable view={view} drawn={drawn} at={at} />
        </>
      )}
    </>
  );
}

function UsageToolbar({ at, view }: { readonly at: Address; readonly view: UsageView }) {
  const zoomed = at.query["from"] !== undefined;
  const ranges = useMemo(() => [...rangeChoices(), ...(zoomed ? [["", "Selected"] as const] : [])], [zoomed]);
  return (
    <div class="toolbar">
      <Select
        label="Measure"
        value={view.measure}
        choices={measureChoices}
        onChange={(measure) => at.go({ measure: measure === "cost" ? undefined : measure })}
      />
      <Select
        label="By"
        value={view.group}
        choices={groupChoices(view.measure)}
        onChange={(group) => at.go({ group: group === "model" ? undefined : group })}
      />
      <Select
        label="Period"
        value={zoomed ? "" : (at.query["range"] ?? "7d")}
        choices={ranges}
        onChange={(range) => at.go({ range: range === "7d" ? undefined : range, from: undefined, to: undefined })}
      />
      <FilterChips address={at} filters={{ ...usageFilters, ...outcomeFilters }} />
      <AddFilter address={at} filters={usageFilters} />
    </div>
  );
}

function NoUsage({ filtered, at }: { readonly filtered: boolean; readonly at: Address }) {
  if (!filtered) {
    return (
      <EmptyState
        title="No requests in this period"
        action={
          <a class="button primary" href="playground">
            Open the playground
          </a>
        }
      >
        Usage appears here a second after a request ends. Choose a longer period, or make a request.
      </EmptyState>
    );
  }
  return (
    <NoMatch address={at} filters={Object.keys({ ...usageFilters, ...outcomeFilters })}>
      No request of this period matches. Remove a filter, or choose a longer period.
    </NoMatch>
  );
}

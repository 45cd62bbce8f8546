import { useMemo } from "preact/hooks";
import { address, read } from "../../api/client.ts";
import type { Usage } from "../../api/usage.ts";
import { AddFilter } from "../../design/add-filter.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import { FilterChips } from "../../design/filter-chips.tsx";
import { outcomeFilters, usageFilters } from "../../design/filters.ts";
import { PageHeader } from "../../design/page-header.tsx";
import { Problem } from "../../design/problem.tsx";
import { Select } from "../../design/select.tsx";
import { rangeChoices } from "../../design/time-range.ts";
import { type Address, useAddress } from "../../state/location.ts";
import { useResource } from "../../state/resource.ts";
import { GroupTable } from "./group-table.tsx";
import { measureChoices } from "./measures.ts";
import { Totals } from "./totals.tsx";
import { UsageChart } from "./usage-chart.tsx";
import { chartQuery, groupChoices, readView, tableQuery, type UsageView } from "./usage-query.ts";
import { usageChart } from "./usage-series.ts";

const pollMs = 30_000;

/** What was spent: one chart with a measure and a grouping, four totals, and a table. */
export function UsagePage() {
  const at = useAddress();
  const view = readView(at.query, Date.now());
  const chart = useUsage(chartQuery(view));
  const loaded = chart.stale.value ? undefined : chart.data.value;
  const drawn = useMemo(() => loaded && usageChart(view, loaded.data), [loaded, view.measure, view.group]);
  const isEmpty = chart.data.value?.data.length === 0;
  const filtered = Object.values(view.filters).some((value) => value !== undefined);
  return (
    <>
      <PageHeader title="Usage" updatedAt={chart.updatedAt.value}>
        <a class="button" href={address("usage", { ...tableQuery(view), format: "csv" })} download="usage.csv">
          Export CSV
        </a>
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

/** Loads usage and polls it. */
function useUsage(query: ReturnType<typeof chartQuery>) {
  const key = address("usage", query);
  return useResource<Usage>(key, (signal) => read("usage", query, signal), { pollMs });
}

function UsageToolbar({ at, view }: { readonly at: Address; readonly view: UsageView }) {
  const zoomed = at.query["from"] !== undefined;
  const ranges = useMemo(() => [...rangeChoices, ...(zoomed ? [["", "Selected"] as const] : [])], [zoomed]);
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
  const cleared = Object.fromEntries(
    [...Object.keys(usageFilters), ...Object.keys(outcomeFilters)].map((name) => [name, undefined]),
  );
  return (
    <EmptyState
      title="Nothing matches these filters"
      action={
        <a class="button" href={at.href(cleared)}>
          Clear filters
        </a>
      }
    >
      No request of this period matches. Remove a filter, or choose a longer period.
    </EmptyState>
  );
}

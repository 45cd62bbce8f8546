import { Button, ExportCsv } from "@tollgate/page-kit/design/controls.tsx";
import type { Column } from "@tollgate/page-kit/design/data-table.tsx";
import { Select } from "@tollgate/page-kit/design/fields.tsx";
import { countText, durationText } from "@tollgate/page-kit/design/figures.ts";
import { AddFilter, FilterChips } from "@tollgate/page-kit/design/filters.tsx";
import { EmptyState, PageHeader } from "@tollgate/page-kit/design/layout.tsx";
import { ListTable } from "@tollgate/page-kit/design/list-table.tsx";
import { RequestState } from "@tollgate/page-kit/design/states.tsx";
import { rangeChoices, rangeQuery, readRange } from "@tollgate/page-kit/design/time-range.ts";
import { Money, Time } from "@tollgate/page-kit/design/values.tsx";
import { useList } from "@tollgate/page-kit/state/list.ts";
import { type Address, useAddress } from "@tollgate/page-kit/state/location.ts";
import { useMemo } from "preact/hooks";
import type { RequestRow } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { filterQuery, outcomeFilters, requestFilters } from "../../state/usage-filters.ts";
import { RequestPanel } from "./request-panel.tsx";

const columns: readonly Column<RequestRow>[] = [
  { header: "Time", cell: (row) => <Time at={row.at} />, narrow: (row) => row.model },
  { header: "Status", cell: (row) => <RequestState status={row.status} ending={row.ending} /> },
  { header: "Model", wideOnly: true, cell: (row) => row.model ?? <span class="muted">–</span> },
  { header: "Account", wideOnly: true, cell: (row) => row.account },
  { header: "Input", numeric: true, wideOnly: true, cell: (row) => countText(row.tokens.input) },
  { header: "Output", numeric: true, wideOnly: true, cell: (row) => countText(row.tokens.output) },
  {
    header: "Cost",
    numeric: true,
    cell: (row) => <Money amount={row.cost} />,
    narrow: (row) => durationText(row.duration_ms),
  },
  { header: "First content", numeric: true, wideOnly: true, cell: (row) => durationText(row.first_content_ms) },
  { header: "Duration", numeric: true, wideOnly: true, cell: (row) => durationText(row.duration_ms) },
];
const filters = [...Object.keys(requestFilters), ...Object.keys(outcomeFilters), "range", "from", "to"];

const requests = operation("GET", "/requests");

/** What happened: the finished requests, newest first, and one of them in a panel. */
export function RequestsPage() {
  const at = useAddress();
  const { from, to, range: preset } = at.query;
  const range = useMemo(() => readRange(at.query, Date.now()), [from, to, preset]);
  const query = { ...filterQuery(at.query, requestFilters), ...(range && rangeQuery(range)) };
  const list = useList(requests, query, ({ id }) => id);
  const id = at.query["id"];
  return (
    <>
      <PageHeader title="Requests" updatedAt={list.updatedAt.value}>
        <ExportCsv list={requests} query={query} name="requests" />
      </PageHeader>
      <RequestsToolbar at={at} />
      <ListTable
        label="Requests"
        list={list}
        columns={columns}
        address={at}
        filters={filters}
        empty={
          <EmptyState
            title="No requests yet"
            action={
              <a class="button primary" href="keys?new=1">
                Create a key
              </a>
            }
          >
            Every finished request appears here. Create a key and send one with it.
          </EmptyState>
        }
      />
      {id !== undefined && <RequestPanel key={id} id={id} onClose={() => at.go({ id: undefined })} />}
    </>
  );
}

function RequestsToolbar({ at }: { readonly at: Address }) {
  const zoomed = at.query["from"] !== undefined;
  const ranges = [["", zoomed ? "Selected" : "All"] as const, ...rangeChoices()];
  return (
    <div class="toolbar">
      <Select
        label="Period"
        value={at.query["range"] ?? ""}
        choices={ranges}
        onChange={(range) => at.go({ range, from: undefined, to: undefined })}
      />
      {Object.entries(outcomeFilters).map(([name, label]) => {
        const chosen = at.query[name] === "true";
        return (
          <Button
            key={name}
            look={chosen ? "chosen" : undefined}
            aria-pressed={chosen}
            onClick={() => at.go({ [name]: chosen ? undefined : "true" })}
          >
            {label}
          </Button>
        );
      })}
      <FilterChips address={at} filters={requestFilters} />
      <AddFilter address={at} filters={requestFilters} />
    </div>
  );
}

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
import type { OwnRequest } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { texts } from "../../texts.ts";
import { RequestPanel } from "./request-panel.tsx";

const requests = operation("GET", "/requests");
const filterNames = ["any_id", "model", "key", "end_user"] as const;
const filters = [...filterNames, "failed", "range"];

/** The finished requests, newest first, and one of them in a panel. */
export function RequestsPage() {
  const at = useAddress();
  const { range: preset } = at.query;
  const range = useMemo(() => readRange({ range: preset ?? "" }, Date.now()), [preset]);
  const chosen = [...filterNames, "failed"].map((name) => [name, at.query[name]] as const);
  const query = { ...Object.fromEntries(chosen), ...(range && rangeQuery(range)) };
  const list = useList(requests, query, ({ id }) => id);
  const id = at.query["id"];
  return (
    <>
      <PageHeader title={texts.pages.requests} updatedAt={list.updatedAt.value}>
        <ExportCsv list={requests} query={query} name="requests" />
      </PageHeader>
      <RequestsToolbar at={at} />
      <ListTable
        label={texts.pages.requests}
        list={list}
        columns={columns()}
        address={at}
        filters={filters}
        empty={
          <EmptyState
            title={texts.requests.empty}
            action={
              <a class="button primary" href="keys">
                {texts.pages.keys}
              </a>
            }
          >
            {texts.requests.emptyHint}
          </EmptyState>
        }
      />
      {id !== undefined && <RequestPanel key={id} id={id} onClose={() => at.go({ id: undefined })} />}
    </>
  );
}

const columns = (): readonly Column<OwnRequest>[] => [
  { header: texts.requests.time, cell: (row) => <Time at={row.at} />, narrow: (row) => row.model },
  { header: texts.requests.status, cell: (row) => <RequestState status={row.status} ending={row.ending} /> },
  { header: texts.usage.model, wideOnly: true, cell: (row) => row.model ?? <span class="muted">–</span> },
  { header: texts.usage.input, numeric: true, wideOnly: true, cell: (row) => countText(row.tokens.input) },
  { header: texts.usage.output, numeric: true, wideOnly: true, cell: (row) => countText(row.tokens.output) },
  {
    header: texts.requests.cost,
    numeric: true,
    cell: (row) => <Money amount={row.cost} />,
    narrow: (row) => durationText(row.duration_ms),
  },
  { header: texts.requests.duration, numeric: true, wideOnly: true, cell: (row) => durationText(row.duration_ms) },
];

function RequestsToolbar({ at }: { readonly at: Address }) {
  const { model, key, end_user } = texts.usage;
  const names = { any_id: texts.requests.any_id, model, key, end_user };
  const failed = at.query["failed"] === "true";
  return (
    <div class="toolbar">
      <Select
        label={texts.requests.range}
        value={at.query["range"] ?? ""}
        choices={[["", texts.requests.all] as const, ...rangeChoices()]}
        onChange={(range) => at.go({ range })}
      />
      <Button
        look={failed ? "chosen" : undefined}
        aria-pressed={failed}
        onClick={() => at.go({ failed: failed ? undefined : "true" })}
      >
        {texts.requests.failed}
      </Button>
      <FilterChips address={at} filters={names} />
      <AddFilter address={at} filters={names} />
    </div>
  );
}

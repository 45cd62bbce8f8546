import type { Query } from "@tollgate/page-kit/api/client.ts";
import { type Column, DataTable } from "@tollgate/page-kit/design/data-table.tsx";
import { countText } from "@tollgate/page-kit/design/figures.ts";
import { Money } from "@tollgate/page-kit/design/values.tsx";
import { type Address, addressOf } from "@tollgate/page-kit/state/location.ts";
import { useResource } from "@tollgate/page-kit/state/resource.ts";
import type { OwnUsage } from "../../api/answers.ts";
import { operation } from "../../api/operations.ts";
import { texts } from "../../texts.ts";

type Row = OwnUsage["data"][number];
type Group = NonNullable<OwnUsage["group_by"]>;

interface GroupTableProps {
  readonly query: Query;
  readonly group: Group;
  readonly at: Address;
}

const pollMs = 30_000;

/** The sums of each group, the highest cost first. A name leads to its requests. */
export function GroupTable({ query, group, at }: GroupTableProps) {
  const summed = useResource(operation("GET", "/usage"), query, pollMs);
  return (
    <div class="page-section">
      <DataTable
        label={texts.usage[group]}
        columns={columnsOf(group, at)}
        rows={summed.data.value?.data}
        identify={(row) => (row.others ? "others" : `group ${row.group ?? ""}`)}
        stale={summed.stale.value}
      />
    </div>
  );
}

const columnsOf = (group: Group, at: Address): readonly Column<Row>[] => [
  { header: texts.usage[group], cell: (row) => <GroupName row={row} group={group} at={at} /> },
  { header: texts.usage.total, numeric: true, cell: ({ cost }) => <Money amount={cost} /> },
  { header: texts.usage.requests, numeric: true, cell: ({ requests }) => countText(requests) },
  { header: texts.usage.failed, numeric: true, wideOnly: true, cell: ({ failed }) => countText(failed) },
  { header: texts.usage.input, numeric: true, wideOnly: true, cell: ({ tokens }) => countText(tokens.input) },
  { header: texts.usage.output, numeric: true, wideOnly: true, cell: ({ tokens }) => countText(tokens.output) },
];

function GroupName({ row, group, at }: { readonly row: Row; readonly group: Group; readonly at: Address }) {
  if (row.others) return <span class="muted">{texts.usage.others}</span>;
  if (row.group === null) return <span class="muted">{texts.usage.none}</span>;
  if (group === "dialect") return <>{row.group}</>;
  return (
    <a
      class={group === "key" ? "mono" : undefined}
      href={addressOf("requests", { [group]: row.group, range: at.query["range"] ?? "30d" })}
    >
      {row.group}
    </a>
  );
}

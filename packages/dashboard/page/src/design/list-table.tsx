import type { ComponentChildren } from "preact";
import type { List } from "../state/list.ts";
import { type Address, addressOf } from "../state/location.ts";
import { type Column, DataTable } from "./data-table.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Problem } from "./problem.tsx";

interface ListTableProps<Row> {
  readonly label: string;
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  readonly identify: (row: Row) => string;
  readonly address: Address;
  /** The parameter of the address that opens a row. Absent: rows have no details. */
  readonly opens?: string;
  /** The parameters that filter the list. */
  readonly filters: readonly string[];
  /** What an empty list without filters shows. */
  readonly empty: ComponentChildren;
}

/** A list with its filters' empty state, its error, new rows, and more pages. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { label, list, columns, identify, address, opens, filters, empty } = props;
  const page = list.data.value;
  const filtered = filters.some((name) => address.query[name] !== undefined);
  const openParameter = (row: Row) => ({ [opens ?? "id"]: identify(row) });
  return (
    <>
      <Problem error={list.error.value} retry={list.reload} />
      {page !== undefined && page.data.length === 0 ? (
        filtered ? (
          <NoMatch address={address} filters={filters} />
        ) : (
          empty
        )
      ) : (
        (page !== undefined || list.error.value === undefined) && (
          <DataTable
            label={label}
            columns={columns}
            rows={page?.data}
            identify={identify}
            stale={list.stale.value}
            {...(opens !== undefined && {
              href: (row: Row) => address.href(openParameter(row)),
              onOpen: (row: Row) => address.go(openParameter(row)),
              open: address.query[opens],
            })}
          />
        )
      )}
      <ListFoot list={list} />
    </>
  );
}

function NoMatch({ address, filters }: Pick<ListTableProps<never>, "address" | "filters">) {
  const cleared = Object.fromEntries(filters.map((name) => [name, undefined]));
  return (
    <EmptyState
      title="Nothing matches these filters"
      action={
        <a class="button" href={addressOf(address.segment, { ...address.query, ...cleared })}>
          Clear filters
        </a>
      }
    >
      Remove a filter to see more.
    </EmptyState>
  );
}

function ListFoot<Row>({ list }: { readonly list: List<Row> }) {
  return (
    <div class="list-foot">
      {list.fresh.value && (
        <button type="button" class="button" onClick={() => void list.reload()}>
          Show new rows
        </button>
      )}
      {list.data.value?.next != null && (
        <button type="button" class="button" onClick={() => void list.more()} disabled={list.loadingMore.value}>
          {list.loadingMore.value ? "Loading…" : "Load more"}
        </button>
      )}
    </div>
  );
}

import type { ComponentChildren } from "preact";
import type { List } from "../state/list.ts";
import type { Address } from "../state/location.ts";
import { fill, texts } from "../texts.ts";
import { Button } from "./controls.tsx";
import { type Column, DataTable } from "./data-table.tsx";
import { EmptyState } from "./layout.tsx";
import { Problem } from "./loaded.tsx";

interface ListTableProps<Row> {
  readonly label: string;
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  readonly address: Address;
  /** The parameter of the address that opens a row; "id". Null: rows have no details. */
  readonly opens?: string | null;
  /** The parameters that filter the list. */
  readonly filters: readonly string[];
  /** What an empty list without filters shows. */
  readonly empty: ComponentChildren;
}

/** A list with its filters' empty state, its error, new rows, and more pages. */
export function ListTable<Row>({ label, list, columns, address, opens = "id", filters, empty }: ListTableProps<Row>) {
  const page = list.data.value;
  const filtered = filters.some((name) => address.query[name] !== undefined);
  return (
    <>
      <Problem error={list.error.value} retry={list.reload} />
      {page !== undefined && page.data.length === 0 ? (
        filtered ? (
          <NoMatch address={address} filters={filters}>
            {texts.messages.noMatchHint}
          </NoMatch>
        ) : (
          empty
        )
      ) : (
        (page !== undefined || list.error.value === undefined) && (
          <DataTable
            label={label}
            columns={columns}
            rows={page?.data}
            identify={list.identify}
            stale={list.stale.value}
            {...(opens !== null && { address, opens })}
          />
        )
      )}
      <ListFoot list={list} rows={texts.messages.rows} />
    </>
  );
}

interface NoMatchProps {
  readonly address: Address;
  readonly filters: readonly string[];
  readonly children: ComponentChildren;
}

/** What a list shows whose filters match nothing. */
export function NoMatch({ address, filters, children }: NoMatchProps) {
  const cleared = Object.fromEntries(filters.map((name) => [name, undefined]));
  return (
    <EmptyState
      title={texts.messages.noMatch}
      action={
        <a class="button" href={address.href(cleared)}>
          {texts.actions.clearFilters}
        </a>
      }
    >
      {children}
    </EmptyState>
  );
}

interface ListFootProps<Row> {
  readonly list: List<Row>;
  /** What the rows are called, such as "messages". */
  readonly rows: string;
  readonly look?: string;
}

/** The buttons that show new rows of a list and more pages. */
export function ListFoot<Row>({ list, rows, ...button }: ListFootProps<Row>) {
  return (
    <div class="list-foot">
      {list.fresh.value && (
        <Button {...button} onClick={() => void list.reload()}>
          {fill(texts.actions.showNew, { rows })}
        </Button>
      )}
      {list.data.value?.next != null && (
        <Button {...button} onClick={() => void list.more()} disabled={list.loadingMore.value}>
          {list.loadingMore.value ? texts.actions.loading : texts.actions.loadMore}
        </Button>
      )}
    </div>
  );
}

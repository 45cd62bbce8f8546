import type { ComponentChildren, JSX, TargetedMouseEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Address } from "../state/location.ts";

/** A column of a table. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Figures are right-aligned. */
  readonly numeric?: boolean;
  /** Left out below 720 px. */
  readonly wideOnly?: boolean;
  /** Below the cell in a window of less than 720 px, for what a column would push out of view. */
  readonly narrow?: (row: Row) => ComponentChildren;
}

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly identify: (row: Row) => string;
  /** The address whose parameter `opens` shows the details of a row. The first cell links there. Absent: there are none. */
  readonly address?: Address;
  /** Default: "id". */
  readonly opens?: string;
  /** True while the rows belong to other filters. */
  readonly stale?: boolean;
}

/** A table with a header that stays, and skeletons while it is loading. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, identify, stale = false } = props;
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => watchWidth(frame.current), []);
  return (
    <div ref={frame} class="table-scroll" {...scrollArea(label)} aria-busy={rows === undefined || stale}>
      <table class={stale && rows !== undefined ? "stale" : ""}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.header} scope="col" class={classOf(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? skeletonRows(columns)
            : rows.map((row) => <TableRow key={identify(row)} row={row} {...props} />)}
        </tbody>
      </table>
    </div>
  );
}

function TableRow<Row>({ row, columns, identify, address, opens = "id" }: DataTableProps<Row> & { readonly row: Row }) {
  const id = identify(row);
  const onClick = (event: TargetedMouseEvent<HTMLTableRowElement>): void => {
    const inControl = event.target instanceof Element && event.target.closest("a, button, input") !== null;
    const selecting = window.getSelection()?.isCollapsed === false;
    if (!inControl && !selecting) address?.go({ [opens]: id });
  };
  // A click anywhere in the row does what the link in its first cell does.
  return (
    <tr {...(address && { onClick, class: "opens" })} aria-current={address?.query[opens] === id ? "true" : undefined}>
      {columns.map((column, index) => (
        <td key={column.header} class={classOf(column)}>
          {index === 0 && address !== undefined ? (
            <a href={address.href({ [opens]: id })} data-row={id}>
              {column.cell(row)}
            </a>
          ) : (
            column.cell(row)
          )}
          {column.narrow !== undefined && <div class="narrow-only muted">{column.narrow(row)}</div>}
        </td>
      ))}
    </tr>
  );
}

/** A wide window shows the whole table, so that its header can stay; one that is wider than its frame scrolls in it. */
function watchWidth(frame: HTMLDivElement | null): (() => void) | undefined {
  const table = frame?.firstElementChild;
  if (frame === null || !(table instanceof HTMLElement)) return undefined;
  const observer = new ResizeObserver(() => frame.classList.toggle("too-wide", table.offsetWidth > frame.clientWidth));
  observer.observe(frame);
  observer.observe(table);
  return () => observer.disconnect();
}

const skeletonRows = <Row,>(columns: readonly Column<Row>[]): JSX.Element[] =>
  Array.from({ length: 8 }, (_, index) => (
    <tr key={index}>
      {columns.map((column) => (
        <td key={column.header} class={classOf(column)}>
          <div class="skeleton-line" />
        </td>
      ))}
    </tr>
  ));

const classOf = <Row,>({ numeric, wideOnly }: Column<Row>): string =>
  [numeric === true ? "numeric" : "", wideOnly === true ? "wide-only" : ""].filter(Boolean).join(" ");

/** The attributes of a box that scrolls. It is a named group with a tab stop, so that the keyboard can scroll it. */
export const scrollArea = (label: string) => ({ role: "group", "aria-label": label, tabIndex: 0 }) as const;

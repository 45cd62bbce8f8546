import { printable } from "./printable.ts";

/** A column of a text table. */
interface Column {
  readonly title: string;
  /** Right-aligned, for numbers. */
  readonly right?: boolean;
  /** Whether the column may be truncated when the table is too wide. */
  readonly truncates?: boolean;
}

/** How a list is shown: the sentence for an empty one, and its columns with the text that each has for an item. */
export interface Table<Item> {
  readonly empty: string;
  readonly columns: readonly (Column & { text(item: Item): string | number | null | undefined })[];
}

/** Shortens a time of ISO 8601 to seconds, for a table. */
export const shortTime = (time: string): string => `${time.slice(0, 19)}Z`;

const gap = "  ";
const minWidth = 8;

/** Renders aligned columns with titles. Truncates columns that allow it to fit into `width` characters. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => row.map(printable))];
  const widths = columns.map((_, at) => lines.reduce((max, line) => Math.max(max, lengthOf(line[at] ?? "")), 0));
  narrow(columns, widths, width);
  return lines.map((line) => renderLine(columns, widths, line)).join("");
}

/** Renders a list as a table, or the sentence for an empty one. */
export const renderItems = <Item>(items: readonly Item[], { empty, columns }: Table<Item>, width?: number): string =>
  items.length === 0
    ? `${empty}\n`
    : renderTable(
        columns,
        items.map((item) => columns.map(({ text }) => String(text(item) ?? ""))),
        width,
      );

/** A line of {@link renderFields}. */
export type Field = readonly [name: string, value: string | number | null | undefined];

/** Renders one name and value per line. Fields without a value are omitted. */
export function renderFields(fields: readonly Field[]): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields
    .map(([name, value]) =>
      value === undefined || value === null ? "" : `${name.padEnd(width)}${gap}${printable(String(value))}\n`,
    )
    .join("");
}

function narrow(columns: readonly Column[], widths: number[], width: number): void {
  let excess = widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1)) - width;
  while (excess > 0) {
    const truncatable = widths.map((each, at) => (columns[at]?.truncates && each > minWidth ? each : 0));
    const widest = Math.max(...truncatable);
    if (widest === 0) return;
    widths[truncatable.indexOf(widest)] = widest - 1;
    excess -= 1;
  }
}

function renderLine(columns: readonly Column[], widths: readonly number[], cells: readonly string[]): string {
  const line = columns.map(({ right }, at) => fit(cells[at] ?? "", widths[at] ?? 0, right)).join(gap);
  return `${line.trimEnd()}\n`;
}

function fit(text: string, width: number, right = false): string {
  const length = lengthOf(text);
  if (length > width) return `${[...text].slice(0, width - 1).join("")}…`;
  const space = " ".repeat(width - length);
  return right ? space + text : text + space;
}

const lengthOf = (text: string): number => [...text].length;

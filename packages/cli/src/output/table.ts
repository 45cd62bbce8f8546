import { printable } from "./printable.ts";

/** A column of a table for people. */
export interface Column {
  readonly title: string;
  /** Numbers stand on the right. */
  readonly right?: boolean;
  /** The column may be cut when the table is too wide. */
  readonly cuts?: boolean;
}

const gap = "  ";
const leastWidth = 8;

/** Aligned columns under their titles; at most `width` characters wide where the columns that may be cut allow it. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => row.map(printable))];
  const widths = columns.map((_, at) => lines.reduce((most, line) => Math.max(most, lengthOf(line[at] ?? "")), 0));
  narrow(columns, widths, width);
  return lines.map((line) => renderLine(columns, widths, line)).join("");
}

/** Names and values beneath each other; what has no value is left out. */
export function renderFields(fields: readonly (readonly [name: string, value: string | undefined])[]): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields
    .map(([name, value]) => (value === undefined ? "" : `${name.padEnd(width)}${gap}${printable(value)}\n`))
    .join("");
}

function narrow(columns: readonly Column[], widths: number[], width: number): void {
  let excess = widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1)) - width;
  while (excess > 0) {
    const cuttable = widths.map((each, at) => (columns[at]?.cuts && each > leastWidth ? each : 0));
    const widest = Math.max(...cuttable);
    if (widest === 0) return;
    widths[cuttable.indexOf(widest)] = widest - 1;
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

import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";

/** The results of one group of a runtime by the label of the case. */
interface Row {
  readonly name: string;
  readonly cells: Map<string, string>;
}

/**
 * Prints the results of `runtimes.test.ts`: a table for each kind of group, with a row for each runtime and mount and a
 * column for each case, then what is refused or differs, and the line "N passed, N failed". A test that did not run counts
 * as failed, unless the run is filtered by test name.
 */
export default class PrintTable implements Reporter {
  #filtered = false;

  onInit({ config }: Vitest): void {
    this.#filtered = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const all = modules.flatMap((module) => [...module.children.allTests()]);
    const tests = this.#filtered ? all.filter((test) => test.result().state !== "skipped") : all;
    for (const rows of tablesOf(tests)) console.log(`\n${format(rows)}`);
    const notes = tests.filter((test) => ["refused", "differs"].includes(resultOf(test)));
    console.log(`\n${notes.map((test) => `${placeOf(test).join(", ")}: ${test.name}`).join("\n")}`);
    const passed = tests.filter((test) => resultOf(test) !== "FAILED").length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    console.log(`\n${passed} passed, ${tests.length - passed + broken + unhandled.length} failed`);
  }
}

function resultOf(test: TestCase): string {
  if (test.result().state !== "passed") return "FAILED";
  return /: (refused|differs): /.exec(test.name)?.[1] ?? "ok";
}

/** The names of the runtime and of the group in it. */
function placeOf({ parent }: TestCase): readonly [runtime: string, group: string] {
  if (parent.type === "suite" && parent.parent.type === "suite") return [parent.parent.name, parent.name];
  throw new Error("Every test of a runtime belongs to a group in it.");
}

/** Rows with common columns form a table. */
function tablesOf(tests: readonly TestCase[]): readonly (readonly Row[])[] {
  const rows = new Map<string, Row>();
  for (const test of tests) {
    const name = placeOf(test).join(", ");
    const row = rows.get(name) ?? { name, cells: new Map() };
    rows.set(name, row);
    row.cells.set(labelOf(test), resultOf(test));
  }
  const tables: Row[][] = [];
  for (const row of rows.values()) {
    const table = tables.find(([first]) => [...row.cells.keys()].some((label) => first?.cells.has(label)));
    if (table === undefined) tables.push([row]);
    else table.push(row);
  }
  return tables;
}

/** The part of its name before the first colon that a space follows. */
const labelOf = ({ name }: TestCase): string => name.split(": ")[0] ?? name;

function format(rows: readonly Row[]): string {
  const labels = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))];
  const lines = rows.map(({ name, cells }) => [name, ...labels.map((label) => cells.get(label) ?? "")]);
  const all = [["", ...labels], ...lines];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0))) ?? [];
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

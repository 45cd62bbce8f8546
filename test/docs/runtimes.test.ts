import { expect, it } from "vitest";
import { probeCases } from "../runtimes/probe-cases.ts";
import { mounts, type Runtime, runtimes } from "../runtimes/runtimes.ts";
import { readPage, rowsOf, sectionOf } from "./markdown.ts";

const page = readPage("docs/guides/runtimes.md");

/** What the page says in a column: whether the suite runs the mount or package there, or expects a refusal. */
function cellOf({ refusals, withoutUndici }: Runtime, column: string): string {
  if (refusals[column] !== undefined) return "no";
  return column === "pooledTransport" && withoutUndici !== undefined ? "with `fetch`" : "yes";
}

it.each([
  ["## Mounts", mounts],
  ["## Stores and connections", probeCases.map(({ name }) => name)],
])("the table of %s says what the suite of runtimes tests", (heading, columns) => {
  const section = sectionOf(page, heading);
  expect(section).toMatch(new RegExp(`^\\| runtime +\\| ${columns.join(" +\\| ")} +\\|$`, "m"));
  expect(rowsOf(section)).toEqual(
    runtimes.map((runtime) => [runtime.title, ...columns.map((column) => cellOf(runtime, column))]),
  );
});

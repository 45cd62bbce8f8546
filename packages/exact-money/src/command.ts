import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Case } from "./case.ts";
import { cases } from "./cases/index.ts";
import type { Driver } from "./driver.ts";
import { countOutcomes, failureLine, markdownOf, summaryLines } from "./report.ts";
import { runSuite, type SuiteResult } from "./run-suite.ts";

const usage = `exact-money --driver DRIVER [--driver DRIVER ...] [--case ID ...] [--markdown FILE]

  --driver    the path of a module whose default export is a driver, or a name of NAMES
  --case      runs this case alone; more than once for several
  --markdown  writes the table of results into this file, between the two lines
              <!-- results --> and <!-- end of results --> if it has them
`;

/**
 * Runs the command line. `known` are the drivers that it takes by their names. Returns the exit code: 0 if no case failed, 1 if
 * one did, and 2 if the suite could not run.
 */
export async function runCommand(args: readonly string[], known: readonly Driver[] = []): Promise<number> {
  try {
    const { drivers, chosen, markdown } = await readArguments(args, known);
    const results: SuiteResult[] = [];
    for (const driver of drivers) results.push(await runAndPrint(driver, chosen));
    if (markdown !== undefined) writeMarkdown(markdown, markdownOf(results));
    return results.some((result) => countOutcomes(result).failed > 0) ? 1 : 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
}

async function runAndPrint(driver: Driver, chosen: readonly Case[]): Promise<SuiteResult> {
  const result = await runSuite({
    driver,
    cases: chosen,
    onResult(each) {
      const line = failureLine(each);
      if (line !== undefined) console.log(line);
    },
  });
  for (const line of summaryLines(result)) console.log(line);
  return result;
}

async function readArguments(args: readonly string[], known: readonly Driver[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      driver: { type: "string", multiple: true, default: [] },
      case: { type: "string", multiple: true, default: [] },
      markdown: { type: "string" },
    },
  });
  if (values.driver.length === 0)
    throw new Error(usage.replace("NAMES", known.map(({ name }) => name).join(", ") || "(none here)"));
  const findDriver = (name: string) => known.find((driver) => driver.name === name) ?? loadDriver(name);
  return {
    drivers: await Promise.all(values.driver.map(findDriver)),
    chosen: values.case.length === 0 ? cases : values.case.map(findCase),
    markdown: values.markdown,
  };
}

function findCase(id: string): Case {
  const found = cases.find((each) => each.id === id);
  if (found !== undefined) return found;
  const [group = ""] = id.split("-");
  const alike = cases.filter((each) => each.id.startsWith(group));
  const shown = (alike.length > 0 ? alike : cases).map((each) => each.id).join(", ");
  throw new Error(`There is no case "${id}". ${alike.length > 0 ? "Those of its group" : "The cases"} are ${shown}.`);
}

async function loadDriver(file: string): Promise<Driver> {
  const path = resolve(file);
  if (!existsSync(path)) throw new Error(`There is no driver at ${path}. Pass the path of a module.`);
  const loaded: { readonly default?: unknown } = await import(pathToFileURL(path).href);
  if (isDriver(loaded.default)) return loaded.default;
  throw new Error(`The default export of ${path} is not a driver. Export an object with \`name\` and \`start\`.`);
}

const isDriver = (value: unknown): value is Driver =>
  typeof value === "object" &&
  value !== null &&
  "name" in value &&
  "start" in value &&
  typeof value.start === "function";

const marks = ["<!-- results -->", "<!-- end of results -->"] as const;

function writeMarkdown(file: string, results: string): void {
  const page = existsSync(file) ? readFileSync(file, "utf8") : "";
  const [begin, end] = marks.map((mark) => page.indexOf(mark));
  const isMarked = begin !== undefined && end !== undefined && begin !== -1 && end > begin;
  const text = isMarked ? `${page.slice(0, begin)}${marks[0]}\n\n${results}\n${page.slice(end)}` : results;
  writeFileSync(file, text);
}

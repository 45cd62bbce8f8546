import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { headingAnchor } from "../../docs/.vitepress/site/heading-anchor.ts";

/** A page of the documentation. */
export interface Page {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** Of its first fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

const skipped = new Set([
  ...["node_modules", "dist", "api.generated", ".git", ".tollgate", ".runtimes", "coverage", "test-results"],
]);

/** Every file under a folder whose name ends so, in folders that are not generated. */
export function filesUnder(folder: string, endings: readonly string[]): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesUnder(path, endings);
    return endings.some((ending) => entry.name.endsWith(ending)) ? [path] : [];
  });
}

/** Every Markdown page of the repository. */
export const allPages = (): readonly Page[] =>
  filesUnder(".", [".md"]).map((path) => ({ path, text: readFileSync(path, "utf8") }));

/** Reads one page. */
export const readPage = (path: string): string => readFileSync(path, "utf8");

/** The fenced blocks of a page. Throws for a fence that is never closed. */
export function blocksOf({ path, text }: Page): readonly Block[] {
  const blocks: Block[] = [];
  let open: { line: number; language: string; code: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^\s*```(.*)$/.exec(line)?.[1];
    if (fence === undefined) open?.code.push(line);
    else if (open === undefined) open = { line: index + 1, language: fence.trim(), code: [] };
    else {
      blocks.push({ page: path, line: open.line, language: open.language, code: open.code.join("\n") });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${path}:${open.line} opens a block that is never closed. Close it.`);
  return blocks;
}

/** The text of a page without its fenced blocks. */
export const proseOf = ({ text }: Page): string => text.replace(/^\s*```.*?^\s*```$/gms, "");

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(page: Page): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of proseOf(page).matchAll(/^#{1,6} +(.*)$/gm)) {
    const anchor = headingAnchor(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
    let unique = anchor;
    for (let copy = 1; anchors.has(unique); copy++) unique = `${anchor}-${copy}`;
    anchors.add(unique);
  }
  return anchors;
}

/** The targets of a page's links and images, outside of code. */
export function linksOf(page: Page): readonly string[] {
  const prose = proseOf(page).replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)].map(([, target = ""]) => target);
}

/** The rows of the tables of a text, without heads, as cells. */
export function rowsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const isHead = /^\|[ :|-]+\|$/.test(lines[index + 1] ?? "") || /^\|[ :|-]+\|$/.test(line);
    if (!line.startsWith("|") || isHead) continue;
    const cells = line.split(/(?<!\\)\|/).slice(1, -1);
    rows.push(cells.map((cell) => cell.trim()));
  }
  return rows;
}

/** The text of the section with this heading, up to the next of the same or a higher level. */
export function sectionOf(text: string, heading: string): string {
  const [, rest] = text.split(`\n${heading}\n`);
  if (rest === undefined) throw new Error(`There is no heading "${heading}" any more. Correct the test.`);
  const level = heading.indexOf(" ");
  return rest.split(new RegExp(`^#{1,${level}} `, "m"))[0] ?? "";
}

/** The code in a cell: `id` without its backticks. */
export const codeIn = (cell = ""): string => /^`([^`]*)`$/.exec(cell)?.[1] ?? cell;

import { posix } from "node:path";
import type { SitePage } from "./site-pages.ts";

/** The files that a page links to below one of its headings of the second level. */
export interface LinkedFiles {
  /** Absent before the first heading. */
  readonly heading: string | undefined;
  /** From the root of the repository. */
  readonly files: readonly string[];
}

/** The Markdown files that a page links to, in its order, by heading. */
export function linksBelowHeadings(page: SitePage | undefined): readonly LinkedFiles[] {
  if (page === undefined) return [];
  const [first = "", ...others] = page.text.split(/^## /m);
  const files = (text: string) =>
    [...text.matchAll(/\]\(([^)#:]+\.md)(?:#[^)]*)?\)/g)].map(([, target = ""]) => repositoryPath(page.file, target));
  return [
    { heading: undefined, files: files(first) },
    ...others.map((text) => ({ heading: text.split("\n")[0] ?? "", files: files(text) })),
  ];
}

/** The path from the root of the repository that a relative link of a file leads to. */
export const repositoryPath = (file: string, target: string): string => posix.join(posix.dirname(file), target);

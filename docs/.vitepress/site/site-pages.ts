import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pageRoute } from "./page-route.ts";

/** A Markdown file of the repository that is a page of the site. */
export interface SitePage {
  /** From the root of the repository, with slashes. */
  readonly file: string;
  /** The page on the site, such as "guides/limits.md". */
  readonly route: string;
  /** Its first heading. */
  readonly title: string;
  readonly text: string;
}

/** Patterns of Markdown files that are not on the site. */
export const excludedPages: readonly string[] = [
  "README.md",
  "**/CHANGELOG.md",
  "**/coverage/**",
  "**/test-results/**",
];
const skippedFolders = new Set(["node_modules", "dist", "coverage", "test-results"]);

/**
 * Whether a Markdown file of the repository is a page of the site. Its README is not, because docs/README.md is the front
 * page, nor are the changelogs of packages, which readers find on npm.
 */
export const isOnSite = (file: string): boolean => !/^README\.md$|(?:^|\/)CHANGELOG\.md$/.test(file);

/** Reads every page of the site, in the order of their files. */
export function readSitePages(root: string): readonly SitePage[] {
  const files = markdownFiles(root, "").filter((file) => isOnSite(file));
  return files.map((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return { file, route: pageRoute(file), title: titleOf(text) ?? file, text };
  });
}

function markdownFiles(root: string, folder: string): readonly string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.toSorted(byName).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith(".") || skippedFolders.has(entry.name)) return [];
    if (entry.isDirectory()) return markdownFiles(root, path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);
const titleOf = (text: string): string | undefined => /^# (.*)$/m.exec(text)?.[1]?.replaceAll("`", "");

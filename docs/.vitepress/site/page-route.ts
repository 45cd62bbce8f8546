/** Where the pages of a folder are on the site. The first one that applies wins. */
const rules: readonly (readonly [file: RegExp, route: string])[] = [
  [/^docs\/api\.generated\/(.*)$/, "api/$1"],
  [/^docs\/(.*)$/, "$1"],
  [/^packages\/([^/]+)\/README\.md$/, "packages/$1.md"],
  [/^examples\/([^/]+)\/README\.md$/, "examples/$1.md"],
  [/^test\/bench\/README\.md$/, "project/bench.md"],
  [/^([A-Z_]+)\.md$/, "project/$1.md"],
];

/**
 * The page of the site that a Markdown file becomes, such as "guides/limits.md". Both paths are relative to their roots.
 * A README is the index of its folder.
 */
export function pageRoute(file: string): string {
  const [pattern, route] = rules.find(([each]) => each.test(file)) ?? [];
  if (pattern === undefined || route === undefined) return file;
  const page = file.replace(pattern, route);
  if (page.startsWith("project/")) return page.toLowerCase().replaceAll("_", "-");
  return page.replace(/(^|\/)README\.md$/, "$1index.md");
}

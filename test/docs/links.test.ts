import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join, relative } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "../http/mounts/mount.ts";
import { whyUnreachable } from "../links/why-unreachable.ts";
import { allPages, anchorsOf, type Page, linksOf as targetsOf } from "./markdown.ts";

const pages = allPages();
const isOutside = (target: string) => /^[a-z][a-z0-9+.-]*:/i.test(target);

const repository = "https://github.com/tollgate/tollgate";

/** The targets of a page. READMEs of packages are read on npm too, so their links to the repository are whole URLs. */
const linksOf = (page: Page): readonly string[] =>
  targetsOf(page).map((target) => {
    if (target === repository) return relative(dirname(page.path), "README.md");
    const [, path] = target.split(`${repository}/blob/main/`);
    return path === undefined ? target : relative(dirname(page.path), path);
  });

const links = pages.flatMap((page) => linksOf(page).map((target) => ({ page, target })));

/** Why a link leads nowhere; undefined when it leads somewhere. */
function problemOf(page: Page, target: string): string | undefined {
  if (target.startsWith("/")) return `${page.path}: ${target} is not relative`;
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page.path : join(dirname(page.path), path);
  // The documentation site does not serve folders.
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return `${page.path}: ${target} leads to no file`;
  if (anchor === undefined || !file.endsWith(".md")) return undefined;
  const anchors = anchorsOf({ path: file, text: readFileSync(file, "utf8") });
  return anchors.has(anchor) ? undefined : `${page.path}: ${target} leads to no heading`;
}

it("every relative link of a page leads to a file, and to a heading of it", () => {
  const problems = links.flatMap(({ page, target }) => (isOutside(target) ? [] : (problemOf(page, target) ?? [])));
  expect(problems).toEqual([]);
  expect(links.length).toBeGreaterThan(80);
});

it("a link to another site is https", () => {
  expect(
    links.map(({ target }) => target).filter((target) => isOutside(target) && !target.startsWith("https:")),
  ).toEqual([]);
});

it("a link that leads nowhere is found", () => {
  const page = { path: "docs/guides/terms.md", text: "" };
  expect(problemOf(page, "no-such-page.md")).toContain("leads to no file");
  expect(problemOf(page, "../guides")).toContain("leads to no file");
  expect(problemOf(page, "limits.md#no-such-heading")).toContain("leads to no heading");
  expect(problemOf(page, "/docs/guides/limits.md")).toContain("is not relative");
  expect(problemOf(page, "limits.md#limits-of-the-process")).toBeUndefined();
});

it("every guide and reference page can be reached from the README", () => {
  const reached = new Set<string>();
  const follow = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    const page = pages.find((each) => each.path === path);
    for (const target of page === undefined ? [] : linksOf(page)) {
      if (!isOutside(target)) follow(join(dirname(path), target.split("#")[0] ?? ""));
    }
  };
  follow("README.md");
  const wanted = pages.map(({ path }) => path).filter((path) => /^(?:docs|packages)\//.test(path));
  expect(wanted.filter((path) => !reached.has(path))).toEqual([]);
  expect(wanted.length).toBeGreaterThan(25);
});

it("a link to a page of another site that is gone is found", async () => {
  const statuses = new Map([
    ["/here", 200],
    ["/for-people", 403],
  ]);
  const { port, close } = await listen(
    createServer(({ url = "" }, response) => response.writeHead(statuses.get(url) ?? 404).end()),
  );
  onTestFinished(async () => void (await close()));
  const problemAt = (path: string) => whyUnreachable(`http://127.0.0.1:${port}${path}`);
  expect(await problemAt("/here")).toBeUndefined();
  expect(await problemAt("/for-people")).toBeUndefined();
  expect(await problemAt("/gone")).toContain("/gone answers 404");
  expect(await whyUnreachable("http://127.0.0.1:1/")).toContain("does not answer");
});

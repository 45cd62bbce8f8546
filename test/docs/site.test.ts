import { describe, expect, it } from "vitest";
import { llmsText } from "../../docs/.vitepress/site/llms-text.ts";
import { pageRoute } from "../../docs/.vitepress/site/page-route.ts";
import { makeSidebar } from "../../docs/.vitepress/site/sidebar.ts";
import { readSitePages, type SitePage } from "../../docs/.vitepress/site/site-pages.ts";

const page = (file: string, title: string, text = ""): SitePage => ({ file, route: pageRoute(file), title, text });

interface Item {
  readonly link?: string;
  readonly items?: readonly Item[];
}

const linksOf = (items: readonly Item[] = []): readonly string[] =>
  items.flatMap(({ link, items: inner }) => [...(link === undefined ? [] : [link]), ...linksOf(inner)]);

describe("the sidebar", () => {
  const pages = [
    page("docs/README.md", "Documentation", "[Guides](guides/README.md)\n[Comparison](comparison.md)"),
    page("docs/comparison.md", "Comparison"),
    page(
      "docs/guides/README.md",
      "Guides",
      "# Guides\n\n## Use\n\n- [Two](two.md)\n- [One](one.md)\n\n## Run\n\n- [Three](three.md)",
    ),
    page("docs/guides/one.md", "One"),
    page("docs/guides/three.md", "Three"),
    page("docs/guides/two.md", "Two"),
    page("docs/guides/unlisted.md", "Unlisted"),
    page("docs/hosts/koa.md", "Koa"),
  ];

  it("has the pages in the order of the indexes, and then those that no index names", () => {
    const item = (text: string, link: string) => ({ text, link });
    expect(makeSidebar(pages)["/"]).toEqual([
      {
        ...item("Guides", "/guides/"),
        collapsed: true,
        items: [
          { text: "Use", collapsed: false, items: [item("Two", "/guides/two"), item("One", "/guides/one")] },
          {
            text: "Run",
            collapsed: false,
            items: [item("Three", "/guides/three"), item("Unlisted", "/guides/unlisted")],
          },
        ],
      },
      item("Comparison", "/comparison"),
      { text: "Hosts", collapsed: true, items: [item("Koa", "/hosts/koa")] },
    ]);
  });

  it("has every page of the repository once", () => {
    const all = readSitePages(".").filter(({ route }) => route !== "index.md" && !route.startsWith("api/"));
    const lists = Object.values(makeSidebar(readSitePages("."))).map((list) =>
      linksOf(Array.isArray(list) ? list : list.items),
    );
    for (const links of lists) expect(links.length).toBe(new Set(links).size);
    const links = new Set(lists.flat());
    const wanted = all.map(({ route }) => `/${route.replace(/index\.md$/, "").replace(/\.md$/, "")}`);
    expect(wanted.filter((link) => !links.has(link))).toEqual([]);
    expect(wanted.length).toBeGreaterThan(60);
  });
});

it.each([
  ["docs/README.md", "index.md"],
  ["docs/guides/limits.md", "guides/limits.md"],
  ["docs/decisions/README.md", "decisions/index.md"],
  ["docs/api.generated/core/store.md", "api/core/store.md"],
  ["packages/node/README.md", "packages/node.md"],
  ["examples/cluster/README.md", "examples/cluster.md"],
  ["test/bench/README.md", "project/bench.md"],
  ["CODE_OF_CONDUCT.md", "project/code-of-conduct.md"],
])("%s is the page %s", (file, route) => expect(pageRoute(file)).toBe(route));

it("llms.txt has the first sentence of each page, without links", () => {
  const front = page("docs/README.md", "Documentation", "# Documentation\n\nA gateway. It is mounted.\n");
  const limits = page(
    "docs/guides/limits.md",
    "Limits",
    "# Limits\n\nThis [guide](x.md) shows\nlimits: of keys. And more.\n",
  );
  expect(llmsText("Tollgate", [front, limits], "/base/")).toBe(
    "# Tollgate\n\n> A gateway.\n\n## guides\n\n- [Limits](/base/guides/limits.md): This guide shows limits.\n",
  );
});

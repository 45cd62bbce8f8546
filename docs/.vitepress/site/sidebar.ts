import type { DefaultTheme } from "vitepress";
import { linksBelowHeadings } from "./index-links.ts";
import type { SitePage } from "./site-pages.ts";

type Item = DefaultTheme.SidebarItem;

/**
 * The sidebars, from the tree of folders. The index of a folder decides the order: pages that it links to come first, below
 * its headings, and all others follow by name. A new page or folder needs no entry anywhere.
 */
export function makeSidebar(pages: readonly SitePage[]): DefaultTheme.SidebarMulti {
  const tree = new SiteTree(pages);
  const code = [...tree.groups("api"), ...tree.groups("packages")];
  const project = [...tree.groups("project"), ...tree.groups("decisions"), ...tree.groups("examples")];
  return {
    "/": tree.front(["api", "packages", "project", "decisions", "examples"]),
    "/api/": code,
    "/packages/": code,
    "/project/": project,
    "/decisions/": project,
    "/examples/": project,
  };
}

class SiteTree {
  readonly #pages: readonly SitePage[];

  constructor(pages: readonly SitePage[]) {
    this.#pages = pages;
  }

  /**
   * The folders and pages that the front page links to, in its order, and then the other folders. Folders are closed, except
   * that of the current page, which the theme opens.
   */
  front(elsewhere: readonly string[]): Item[] {
    const linked = this.#linked("").flatMap(({ targets }) => targets.map(({ route }) => route));
    const folders = [...linked, ...this.#pages.map(({ route }) => route)].map((route) => route.split("/"));
    const names = new Set(folders.map(([name = "", rest]) => (rest === undefined ? name : `${name}/`)));
    return [...names].flatMap((name) => {
      const folder = name.endsWith("/") ? name.slice(0, -1) : undefined;
      if (folder !== undefined && elsewhere.includes(folder)) return [];
      if (folder !== undefined) return this.groups(folder).map((group) => ({ ...group, collapsed: true }));
      const page = this.#pages.find(({ route }) => route === name);
      return page === undefined || name === "index.md" ? [] : [itemOf(page)];
    });
  }

  /** The group of a folder, with one inside for each heading of its index. Pages without a link are in the last. */
  groups(folder: string): Item[] {
    const index = this.#pages.find(({ route }) => route === `${folder}/index.md`);
    const sections = this.#linked(folder)
      .map(({ heading, targets }) => ({ text: heading ?? "", items: targets.filter(isIn(folder)).map(itemOf) }))
      .filter(({ items }) => items.length > 0);
    const seen = new Set(sections.flatMap(({ items }) => items.map(({ link }) => link)));
    const others = this.#pages.filter((page) => isIn(folder)(page) && page !== index).map(itemOf);
    const last = sections.at(-1) ?? { text: "", items: [] };
    last.items.push(...others.filter(({ link }) => !seen.has(link)));
    if (last.items.length === 0) return [];
    const items = sections.length < 2 ? last.items : sections.map((section) => ({ ...section, collapsed: false }));
    const text = index?.title ?? folder.charAt(0).toUpperCase() + folder.slice(1);
    return [{ text, items, ...(index && { link: linkOf(index) }) }];
  }

  /** The pages that the index of a folder links to, each once. */
  #linked(folder: string): readonly { readonly heading: string | undefined; readonly targets: readonly SitePage[] }[] {
    const index = this.#pages.find(({ route }) => route === (folder === "" ? "index.md" : `${folder}/index.md`));
    const seen = new Set([index]);
    return linksBelowHeadings(index).map(({ heading, files }) => ({
      heading,
      targets: files.flatMap((file) => {
        const page = this.#pages.find((each) => each.file === file);
        if (page === undefined || seen.has(page)) return [];
        seen.add(page);
        return [page];
      }),
    }));
  }
}

const isIn = (folder: string) => (page: SitePage) => page.route.startsWith(`${folder}/`);
const linkOf = ({ route }: SitePage) => `/${route.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, "")}`;
const itemOf = (page: SitePage): Item => ({ text: page.title, link: linkOf(page) });

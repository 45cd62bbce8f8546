import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { frontPage } from "./site/front-page.ts";
import { headingAnchor } from "./site/heading-anchor.ts";
import { llmsText } from "./site/llms-text.ts";
import { pageRoute } from "./site/page-route.ts";
import { pagesOutside } from "./site/pages-outside.ts";
import { repositoryLinks } from "./site/repository-links.ts";
import { makeSidebar } from "./site/sidebar.ts";
import { excludedPages, readSitePages } from "./site/site-pages.ts";
import { SourceFiles } from "./site/source-files.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** The path at which the site is served, such as "/tollgate/". */
const base = process.env["DOCS_BASE"] ?? "/";
const sources = new SourceFiles(root);

/** The classes by which style.css knows pages. */
const pageClasses: readonly (readonly [route: RegExp, pageClass: string])[] = [
  [/^api\//, "api-reference"],
  [/^(?:reference\/|comparison\.md)/, "wide-tables"],
];

export default defineConfig({
  title: "Tollgate",
  description: "The LLM gateway that you mount inside the Node server that you already have.",
  lang: "en",
  base,
  srcDir: root,
  srcExclude: [...excludedPages],
  rewrites: pageRoute,
  head: [["link", { rel: "icon", href: `${base}logo.svg`, type: "image/svg+xml" }]],
  markdown: {
    anchor: { slugify: headingAnchor },
    languageAlias: { haproxy: "ini" },
    config: (markdown) => repositoryLinks(markdown, { root, onFile: (file) => sources.add(file) }),
  },
  transformPageData: ({ relativePath }) => {
    if (relativePath === "index.md") return { frontmatter: frontPage };
    const pageClass = pageClasses.find(([pattern]) => pattern.test(relativePath))?.[1];
    return pageClass === undefined ? undefined : { frontmatter: { pageClass } };
  },
  themeConfig: {
    logo: "/logo.svg",
    outline: [2, 3],
    sidebar: makeSidebar(readSitePages(root)),
    nav: [
      { text: "Guides", link: "/guides/", activeMatch: "^/guides/" },
      { text: "Recipes", link: "/recipes/", activeMatch: "^/recipes/" },
      { text: "Reference", link: "/reference/options", activeMatch: "^/reference/" },
      { text: "API", link: "/api/", activeMatch: "^/(api|packages)/" },
      { text: "Project", link: "/project/architecture", activeMatch: "^/(project|decisions|examples)/" },
    ],
    search: {
      provider: "local",
      options: {
        miniSearch: {
          // Guides explain what the API reference lists.
          searchOptions: { boostDocument: (id: string) => (/^\/(?:[^/]+\/)?(?:api|decisions)\//.test(id) ? 0.4 : 1) },
        },
      },
    },
  },
  vite: {
    configFile: false,
    publicDir: join(root, "docs/public"),
    plugins: [sources.plugin(), pagesOutside()],
    optimizeDeps: { entries: [] },
    // The index of the search is loaded when somebody searches.
    build: { chunkSizeWarningLimit: 2_000 },
  },
  async buildEnd({ outDir, site }) {
    const pages = readSitePages(root);
    await writeFile(join(outDir, "llms.txt"), llmsText(site.title, pages, base));
    for (const { route, text } of pages) {
      await mkdir(dirname(join(outDir, route)), { recursive: true });
      await writeFile(join(outDir, route), text);
    }
  },
});

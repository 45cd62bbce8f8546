import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { pageRoute } from "../../docs/.vitepress/site/page-route.ts";
import { isOnSite } from "../../docs/.vitepress/site/site-pages.ts";
import { type Browser, launchBrowser, openPage, views } from "../browser/browser.ts";
import { allPages } from "../docs/markdown.ts";
import { listen } from "../http/mounts/mount.ts";
import { type BuiltPage, builtPages, idsOf, internalLinksOf, serveFolder, targetOf } from "./built-site.ts";

const folder = "docs/.vitepress/dist";
const screenshots = "test-results/site";
let pages: readonly BuiltPage[];

beforeAll(() => {
  execFileSync("npm", ["run", "--silent", "--prefix", "docs", "build"], { stdio: ["ignore", "ignore", "inherit"] });
  pages = builtPages(folder);
}, 600_000);

describe("the built site", () => {
  it("has each page of the repository, except its README, changelogs and those of GitHub", () => {
    const routes = allPages()
      .map(({ path }) => path)
      .filter((path) => isOnSite(path) && !path.startsWith("."))
      .map((path) => pageRoute(path).replace(/\.md$/, ".html"));
    const built = pages.map(({ path }) => path).filter((path) => !path.startsWith("api/"));
    expect(built.toSorted()).toEqual(routes.toSorted());
  });

  it("has no link that leads to no page, or to no heading of it", () => {
    const ids = new Map(pages.map((page) => [page.path, idsOf(page)]));
    const problems = pages.flatMap((page) =>
      internalLinksOf(page).filter((link) => {
        const [address = "", anchor = ""] = link.split("#");
        const target = targetOf(page.path, address);
        if (!existsSync(join(folder, target))) return true;
        return anchor !== "" && ids.get(target)?.has(decodeURIComponent(anchor)) !== true;
      }),
    );
    expect([...new Set(problems)]).toEqual([]);
    expect(pages.flatMap(internalLinksOf).length).toBeGreaterThan(2_000);
  });

  it("has the API of each public entry of the packages, and no other", () => {
    const entries = readdirSync("packages").flatMap((name) => {
      const { exports } = JSON.parse(readFileSync(`packages/${name}/package.json`, "utf8"));
      const paths = Object.keys(exports).filter((path) => typeof exports[path] === "object" && path !== "./internal");
      return paths.map((path) => `api/${name}${path.slice(1)}.html`);
    });
    const built = pages.map(({ path }) => path).filter((path) => /^api\/(?!index)/.test(path));
    expect(built.toSorted()).toEqual(entries.toSorted());
    const core = pages.find(({ path }) => path === "api/core.html")?.html;
    expect(core).toContain("Returns the number of running requests and open charges of the host.");
  });

  it("lists the Markdown of each page in llms.txt", () => {
    const links = [...readFileSync(join(folder, "llms.txt"), "utf8").matchAll(/\]\(([^)]*)\)/g)].map(
      ([, link = ""]) => link,
    );
    expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
    expect(links.length).toBe(pages.length - 1);
  });
});

describe("in a browser", () => {
  let browser: Browser;
  let origin: string;
  let close: () => Promise<unknown>;

  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true });
    const server = await listen(createServer(serveFolder(folder)));
    close = server.close;
    origin = `http://127.0.0.1:${server.port}`;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await close();
  });

  it.each(views)(
    "looks right at $width px, $scheme",
    async (view) => {
      const { page, problems } = await openPage(browser, view, origin);
      for (const path of [
        "/",
        "/guides/keys-and-money.html",
        "/recipes/stripe-top-up.html",
        "/api/core.html",
        "/comparison.html",
      ]) {
        await page.goto(origin + path);
        await page.waitForLoadState("networkidle");
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect([path, overflow > 0]).toEqual([path, false]);
        const name = path.replace(/^\/|\.html$/g, "").replaceAll("/", "-") || "home";
        await page.screenshot({ path: `${screenshots}/${name}-${view.width}-${view.scheme}.png` });
      }
      expect(await page.evaluate(() => document.documentElement.classList.contains("dark"))).toBe(
        view.scheme === "dark",
      );
      expect(problems).toEqual([]);
      await page.context().close();
    },
    120_000,
  );

  it("finds a heading by the search, and opens it", async () => {
    const { page, problems } = await openPage(browser, { width: 1440, scheme: "light" }, origin);
    await page.goto(origin);
    const box = page.getByRole("searchbox");
    // The page hears keys once its scripts have run.
    await vi.waitUntil(
      async () => {
        await page.keyboard.press("Control+k");
        return box.isVisible();
      },
      { timeout: 30_000, interval: 200 },
    );
    await box.fill("spend limit");
    const result = page.getByRole("option").filter({ hasText: "Spend limits" }).first();
    await result.waitFor();
    await page.screenshot({ path: `${screenshots}/search.png` });
    await result.click();
    await page.waitForURL(/guides\/keys-and-money\.html#spend-limits$/);
    expect(problems).toEqual([]);
    await page.context().close();
  }, 120_000);
});

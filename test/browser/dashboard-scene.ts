import { type Browser, launchBrowser, now, openPage, type View, type WatchedPage } from "./browser.ts";
import { startFixtureServer } from "./start-fixture-server.ts";

/** A browser and the page over its fixtures. */
export interface DashboardScene {
  /** Opens a relative address, and waits until everything that it loads is there. */
  open(address: string, view?: View): Promise<WatchedPage>;
  close(): Promise<void>;
}

const wide: View = { width: 1440, scheme: "light" };

/** Starts the browser and the server. */
export async function setDashboardScene(): Promise<DashboardScene> {
  const server = await startFixtureServer(now);
  const browser: Browser = await launchBrowser();
  return {
    async open(address, view = wide) {
      const watched = await openPage(browser, view, new URL(server.url).origin);
      await watched.page.goto(server.url + address);
      await watched.page.locator("h1").waitFor();
      await watched.page.waitForFunction(() => document.querySelector(".skeleton-line, [aria-busy='true']") === null);
      return watched;
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

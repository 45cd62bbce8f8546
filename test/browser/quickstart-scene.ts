import type { Browser, Page } from "playwright-core";
import { endQuickstart, startQuickstart, written } from "../quickstart/start-quickstart.ts";
import { launchBrowser, type View, type WatchedPage } from "./browser.ts";
import { watchPage } from "./watch-page.ts";

/** What the quickstart prints for programs. */
interface Announced {
  readonly router: string;
  readonly keys: { readonly prepaid: string; readonly empty: string };
  readonly models: { readonly plain: string };
  readonly assistant: string;
  readonly dashboard: { readonly url: string; readonly user: string; readonly password: string };
}

/** A browser beside a running quickstart. */
export interface QuickstartScene extends Announced {
  /** Opens the dashboard, logged in with the password, and waits until it is loaded. */
  open(view?: View): Promise<WatchedPage>;
  /** Asks the router for a completion and returns the status. */
  complete(key: string): Promise<number>;
  close(): Promise<void>;
}

const wide: View = { width: 1440, scheme: "light" };

/** Starts a quickstart of its own and the browser. */
export async function setQuickstartScene(): Promise<QuickstartScene> {
  const quickstart = startQuickstart({ PORT: "0", QUICKSTART_JSON: "1" });
  const [line] = await written(quickstart, /^\{.*\}$/m);
  const announced: Announced = JSON.parse(line);
  const browser = await launchBrowser();
  return {
    ...announced,
    open: (view = wide) => openDashboard(browser, announced, view),
    complete: (key) => complete(announced, key),
    async close() {
      await browser.close();
      await endQuickstart(quickstart);
    },
  };
}

async function openDashboard(browser: Browser, { dashboard }: Announced, view: View): Promise<WatchedPage> {
  const { origin } = new URL(dashboard.url);
  const context = await browser.newContext({
    viewport: { width: view.width, height: view.width === 360 ? 740 : 900 },
    colorScheme: view.scheme,
    reducedMotion: "reduce",
    locale: "en-US",
    hasTouch: view.width === 360,
    httpCredentials: { username: dashboard.user, password: dashboard.password, origin },
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const problems = watchPage(page, origin);
  await page.goto(dashboard.url);
  await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
  return { page, problems };
}

async function complete({ router, models }: Announced, key: string): Promise<number> {
  const response = await fetch(`${router}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: models.plain, messages: [{ role: "user", content: "Hello" }] }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Goes to a page of the dashboard by its link. In a narrow window, the links are in a menu. */
export async function goTo(page: Page, name: string): Promise<void> {
  const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true });
  if (!(await link.isVisible())) await page.getByRole("button", { name: "Menu" }).click();
  await link.click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

/** Returns the value beside a name in a list of facts. */
export const fact = (place: Page | ReturnType<Page["getByRole"]>, name: string) =>
  place
    .getByRole("term")
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator("xpath=following-sibling::dd");

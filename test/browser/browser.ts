import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { watchPage } from "./watch-page.ts";

export type { Browser };

/** The time at which the fixtures and the browser's clock stand. */
export const now = Date.parse("2026-11-23T12:34:56Z");

/** Starts Debian's Chromium, or the browser at CHROMIUM_PATH. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-background-networking"],
  });

/** A window of the browser. */
export interface View {
  readonly width: 1440 | 360;
  readonly scheme: "light" | "dark";
}

/** The windows in which each page is looked at. */
export const views: readonly View[] = [
  { width: 1440, scheme: "light" },
  { width: 1440, scheme: "dark" },
  { width: 360, scheme: "light" },
  { width: 360, scheme: "dark" },
];

/** A page with what went wrong in it: console errors, reports of the policy, and requests to other origins. */
export interface WatchedPage {
  readonly page: Page;
  readonly problems: readonly string[];
}

/** Opens a page of the browser whose clock stands at {@link now}. */
export async function openPage(browser: Browser, { width, scheme }: View, origin: string): Promise<WatchedPage> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height: width === 360 ? 740 : 900 },
    colorScheme: scheme,
    reducedMotion: "reduce",
    timezoneId: "Europe/Berlin",
    locale: "en-US",
    hasTouch: width === 360,
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(now);
  return { page, problems: watchPage(page, origin) };
}

import { mkdirSync } from "node:fs";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { form } from "../faults/form.ts";
import { addresses } from "./addresses.ts";
import { type View, views } from "./browser.ts";
import { type DashboardScene, setDashboardScene } from "./dashboard-scene.ts";

const folder = "test-results/pages";
let scene: DashboardScene;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  scene = await setDashboardScene();
});
afterAll(() => scene.close());

/**
 * Each page is opened in two views, which have both widths and both schemes, and its panels and dialogs in one of them by
 * turns. With FAULTS=long, everything is opened in all views.
 */
const chosen = form === "long" ? views : views.filter(({ width, scheme }) => (width === 1440) === (scheme === "light"));

const openedIn = (view: View) =>
  addresses.filter(([, address], at) => {
    return form === "long" || !address.includes("?") || at % 2 === chosen.indexOf(view);
  });

describe.each(chosen)("at $width px in $scheme", (view) => {
  it.each(openedIn(view))(
    "%s has no violation, no error, no request elsewhere, and nothing beside the window",
    async (name, address) => {
      const { page, problems } = await scene.open(address, view);
      await page.screenshot({ path: `${folder}/${name}-${view.width}-${view.scheme}.png` });
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );
});

const framed = ["usage", "requests", "keys", "accounts", "models", "terms", "conversations", "audit", "health"];

it.each(framed)(
  "the tables of %s stay in their frame at every width, however long their texts are",
  async (address) => {
    const { page } = await scene.open(address);
    await page.evaluate(() => {
      for (const cell of document.querySelectorAll("main td")) cell.append(" and-a-name-without-a-break".repeat(3));
    });
    for (const width of [360, 720, 1024, 1280, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => page.evaluate(overflowing), { message: `at ${width} px` }).toEqual([]);
    }
    await page.context().close();
  },
);

it.each([
  ["requests", "Cost"],
  ["accounts", "Available"],
  ["keys", "State"],
  ["usage", "Cost"],
  ["models", "Output"],
])("%s has the column %s in view on a phone", async (address, header) => {
  const { page } = await scene.open(address, { width: 360, scheme: "light" });
  await page.setViewportSize({ width: 390, height: 844 });
  const column = page.getByRole("columnheader", { name: header, exact: true }).first();
  const box = await column.boundingBox();
  expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  await page.context().close();
});

/** Returns the tables that are drawn beyond their frame, and the page if it is wider than the window. */
function overflowing(): readonly string[] {
  const frames = [...document.querySelectorAll(".table-scroll")].filter((frame) => {
    const isCut = getComputedStyle(frame).overflowX !== "visible";
    return !isCut && frame.scrollWidth > frame.clientWidth;
  });
  const names = frames.map((frame) => frame.getAttribute("aria-label") ?? "");
  return document.documentElement.scrollWidth > window.innerWidth ? [...names, "page"] : names;
}

/** Runs axe in the page. The debugger evaluates it, which the policy of the page does not concern. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found: axe.AxeResults = await page.evaluate('axe.run({ resultTypes: ["violations"] })');
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

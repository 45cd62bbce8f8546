import { mkdirSync } from "node:fs";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

/** Every page is opened in all views, and its panels and dialogs in two, which take less time and have both widths and schemes. */
const opened = ({ width, scheme }: View) =>
  addresses.filter(([, address]) => !address.includes("?") || (width === 1440) === (scheme === "light"));

describe.each(views)("at $width px in $scheme", (view) => {
  it.each(opened(view))(
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

/** Runs axe in the page. The debugger evaluates it, which the policy of the page does not concern. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found: axe.AxeResults = await page.evaluate('axe.run({ resultTypes: ["violations"] })');
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

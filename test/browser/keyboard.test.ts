import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DashboardScene, setDashboardScene } from "./dashboard-scene.ts";

let scene: DashboardScene;
beforeAll(async () => {
  scene = await setDashboardScene();
});
afterAll(() => scene.close());

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("data-row") ?? element?.textContent?.trim() ?? "";
  });

it("moves with j and k, opens with Enter, and Escape gives the focus back to the row", async () => {
  const { page } = await scene.open("keys");
  for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
  await expect.poll(() => focused(page)).toBe("key_0001");
  await page.keyboard.press("Enter");
  await page.locator("aside h2", { hasText: "globex staging" }).waitFor();
  await expect.poll(() => page.url()).toMatch(/keys\?id=key_0001$/);
  await expect.poll(() => focused(page)).toBe("globex staging");
  await page.keyboard.press("Escape");
  await page.locator("aside").waitFor({ state: "detached" });
  await expect.poll(() => page.url()).toMatch(/keys$/);
  await expect.poll(() => focused(page)).toBe("key_0001");
});

it("searches with /, and types the same keys inside the field", async () => {
  const { page } = await scene.open("keys");
  await page.keyboard.press("/");
  await page.keyboard.type("jk?/");
  await expect.poll(() => page.locator("[data-search]").inputValue()).toBe("jk?/");
  await expect.poll(() => page.locator("dialog").count()).toBe(0);
  await page.getByRole("link", { name: "Clear filters" }).waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe("jk?/");
});

it("moves with j and k after a filter was chosen, searched for or added", async () => {
  const { page } = await scene.open("keys");
  await page.getByLabel("State").selectOption("active");
  await page.getByLabel("State").focus();
  await page.waitForURL(/state=active/);
  for (const key of ["j", "j"]) await page.keyboard.press(key);
  await expect.poll(() => focused(page)).toBe("key_0001");
  expect(await page.getByLabel("State").inputValue()).toBe("active");

  await page.keyboard.press("/");
  await page.keyboard.type("hooli");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=hooli/);
  await expect.poll(() => page.locator("tbody tr").count()).toBeLessThan(6);
  await page.keyboard.press("j");
  await expect.poll(() => focused(page)).toBe("key_0004");

  await page.goto(page.url().replace(/keys.*/, "requests"));
  await page.locator("[data-row]").first().waitFor();
  await page.keyboard.press("/");
  await page.getByLabel("Filter by").selectOption("account");
  await page.getByLabel("Value of the filter").fill("acme");
  await page.keyboard.press("Enter");
  await page.waitForURL(/account=acme/);
  await page.keyboard.press("j");
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute("data-row"))).toBe(true);
});

it("lists the keys with ?, in a dialog that Escape closes", async () => {
  const { page } = await scene.open("usage");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
});

it("reaches every control of a page by Tab, with a visible focus", async () => {
  const { page } = await scene.open("requests");
  const controls = await page.locator(controlSelector).count();
  const outlines = new Set<string>();
  for (let count = 0; count < controls; count++) {
    await page.keyboard.press("Tab");
    outlines.add(await focusedOutline(page));
    await page.evaluate(() => document.activeElement?.setAttribute("data-reached", ""));
  }
  expect(outlines).not.toContain("none");
  const missed = await page
    .locator(`:is(${controlSelector}):not([data-reached])`)
    .evaluateAll((elements) =>
      elements.filter((element) => element.checkVisibility()).map((element) => element.outerHTML),
    );
  expect(missed).toEqual([]);
});

const controlSelector = "a[href], button, select, input, [tabindex='0']";

const focusedOutline = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return "outside";
    const shown = element.matches(".select select") ? element.closest(".select") : element;
    return shown === null ? "none" : getComputedStyle(shown).outlineStyle;
  });

it("reads the chart with the arrow keys", async () => {
  const { page } = await scene.open("usage");
  await page.locator(".chart").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.locator(".legend-when").textContent()).toBe("Nov 18");
});

it("opens the menu of a narrow window, and Escape closes it", async () => {
  const { page } = await scene.open("usage", { width: 360, scheme: "light" });
  const menu = page.getByRole("button", { name: "Menu" });
  await menu.click();
  expect(await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allTextContents()).toEqual([
    "Usage",
    "Requests",
    "Keys",
    "Accounts",
    "Models",
    "Terms",
    "Conversations",
    "Assistants",
    "Playground",
    "Audit",
    "Health",
  ]);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("navigation", { name: "Pages" }).isVisible()).toBe(false);
});

import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { View } from "./browser.ts";
import { goTo, type QuickstartScene, setQuickstartScene } from "./quickstart-scene.ts";

const folder = "test-results/quickstart";
let scene: QuickstartScene;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  scene = await setQuickstartScene();
  const { page } = await scene.open();
  // The audit log is empty until an operator changes something.
  await page.evaluate(() => {
    const body = JSON.stringify({ account: "prepaid", plan: "prepaid", name: "every page" });
    return fetch("api/keys", { method: "POST", headers: { "content-type": "application/json" }, body });
  });
  await page.context().close();
});
afterAll(() => scene.close());

/** The pages with a text of the quickstart's data that each shows. */
const pages = [
  ["Usage", "everyday-1"],
  ["Requests", "thinker-1"],
  ["Keys", "nightly reports"],
  ["Accounts", "globex"],
  ["Models", "insider-1"],
  ["Terms", "January 2026"],
  ["Conversations", "order-desk"],
  ["Assistants", "order-desk"],
  ["Playground", "Write a message below"],
  ["Audit", "key.create"],
  ["Health", "balances"],
] as const;

const views: readonly View[] = [
  { width: 1440, scheme: "light" },
  { width: 360, scheme: "light" },
];

describe.each(views)("at $width px", (view) => {
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    ({ page, problems } = await scene.open(view));
  });
  afterAll(() => page.context().close());

  it.each(pages)("%s opens by its link with data, and nothing goes wrong", async (name, text) => {
    const before = problems.length;
    await goTo(page, name);
    await page.getByRole("main").getByText(text).filter({ visible: true }).first().waitFor();
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: `${folder}/${name.toLowerCase()}-${view.width}.png` });
    expect(problems.slice(before)).toEqual([]);
  });
});

it("the navigation leads to these pages and no others", async () => {
  const { page } = await scene.open();
  const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
  expect(await links.allInnerTexts()).toEqual(pages.map(([name]) => name));
});

it("what breaks the policy would be noticed", async () => {
  const { page, problems } = await scene.open();
  await page.evaluate(() => {
    const image = document.createElement("img");
    image.src = "https://elsewhere.example/pixel.png";
    document.body.append(image);
  });
  await expect.poll(() => problems).toContainEqual(expect.stringContaining("Content Security Policy"));
});

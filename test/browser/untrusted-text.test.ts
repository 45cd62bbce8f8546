import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hostileBodies } from "../../packages/dashboard/page/fixtures/conversations.ts";
import { longSession, markupSession, rightToLeftSession } from "./addresses.ts";
import { type DashboardScene, setDashboardScene } from "./dashboard-scene.ts";

let scene: DashboardScene;
beforeAll(async () => {
  scene = await setDashboardScene();
});
afterAll(() => scene.close());

it.each([
  ["markup", hostileBodies.markup, markupSession],
  ["more than a megabyte", hostileBodies.long, longSession],
  ["right-to-left text", hostileBodies.rightToLeft, rightToLeftSession],
])("shows a webhook answer of %s as text, in the conversation and in its log", async (_, body, session) => {
  const { page, problems } = await scene.open(`conversations?id=${session?.id}`);
  const message = page.locator(".message.tool").first();
  expect(await allOf(message, ".message-text")).toBe(body);
  await page.goto(`${page.url()}&view=logs`);
  await page.getByRole("link", { name: "find_order" }).click();
  const response = page.locator(".code", { has: page.getByRole("group", { name: "Response body" }) });
  expect(await allOf(response, "pre")).toBe(body);
  await expect.poll(() => page.title()).toBe("Conversations · Tollgate");
  await expect.poll(() => page.locator("main script, main img").count()).toBe(0);
  expect(problems).toEqual([]);
});

/** The whole text of an element, of which a long one shows only the beginning at first. */
async function allOf(place: Locator, selector: string): Promise<string | null> {
  const element = place.locator(selector);
  await element.waitFor();
  const more = place.getByRole("button", { name: /^Show all/ });
  if ((await more.count()) > 0) await more.click();
  return element.textContent();
}

it("lays right-to-left text out by its own direction", async () => {
  const { page } = await scene.open(`conversations?id=${rightToLeftSession?.id}`);
  const text = page.locator(".message.tool .message-text").first();
  expect(await text.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
});

it("refuses markup from scripts of the page itself", async () => {
  const { page } = await scene.open("health");
  const refused = await page.evaluate(() => {
    try {
      document.body.innerHTML = "<b>bold</b>";
      return undefined;
    } catch (error) {
      return error instanceof TypeError;
    }
  });
  expect(refused).toBe(true);
});

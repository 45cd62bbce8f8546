import { mkdirSync } from "node:fs";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PortalScene, setPortalScene } from "./portal-scene.ts";

const folder = "test-results/portal";
let scene: PortalScene;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  scene = await setPortalScene();
});
afterAll(() => scene.close());

const call = async (page: Page, secret: string): Promise<number> =>
  page.evaluate(async (key) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }] });
    return (await fetch("/router/v1/chat/completions", { method: "POST", headers, body })).status;
  }, secret);

describe("a customer", () => {
  it("creates a key and calls with it, rotates it, and revokes it", async () => {
    const { page, problems } = await scene.open("keys");
    await page.getByRole("link", { name: "Create key" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("laptop");
    await page.getByLabel("Spend limit (EUR)").fill("2.50");
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog", { name: "Copy the secret of laptop" });
    const secret = (await dialog.locator(".secret code").textContent()) ?? "";
    await expect.poll(() => dialog.locator("pre").textContent()).toContain(`curl '${scene.origin}/router/v1/chat`);
    expect(await call(page, secret)).toBe(428);
    await dialog.getByRole("button", { name: "Done" }).click();

    await page.getByRole("link", { name: "Terms" }).click();
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByRole("button", { name: "Accept terms" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => call(page, secret)).toBe(200);

    await page.getByRole("link", { name: "Keys", exact: true }).click();
    await page.getByRole("link", { name: "laptop" }).click();
    await page.getByText("of €2.50 a month").waitFor();
    await page.getByRole("button", { name: "Rotate" }).click();
    await page.getByLabel("The old secret works for").selectOption("0");
    await page.getByRole("button", { name: "Rotate key" }).click();
    const rotated = (await page.locator(".secret code").textContent()) ?? "";
    expect(rotated).not.toBe(secret);
    expect([await call(page, secret), await call(page, rotated)]).toEqual([401, 200]);
    await page.getByRole("button", { name: "Done" }).click();

    await page
      .getByRole("row", { name: /laptop.*Active/ })
      .getByRole("link")
      .click();
    await page.getByRole("button", { name: "Revoke" }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel");
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.locator("aside").getByText("Revoked", { exact: true }).first().waitFor();
    expect(await call(page, rotated)).toBe(401);
    // The calls that were refused, as they had to be.
    expect(problems.filter((problem) => !/status of (?:401|428)/.test(problem))).toEqual([]);
    await page.context().close();
  });

  it("sees nothing of another account", async () => {
    const { page } = await scene.open("keys");
    await page.getByText("production").waitFor();
    expect(await page.locator("body").textContent()).not.toContain("foreign");
    const [foreign] = (await scene.stores.keys.list({ account: "globex", limit: 1 })).keys;
    await page.goto(`${scene.origin}/account/keys?id=${foreign?.id}`);
    await page.getByText("There is no key with this id.").waitFor();
    await page.context().close();
  });

  it("goes through keys with the keyboard, and Escape gives the focus back", async () => {
    const { page } = await scene.open("keys");
    for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key);
    await page.locator("aside h2", { hasText: "staging" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("aside").waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("staging");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.context().close();
  });

  it("buys credit on the page of the provider", async () => {
    const { page } = await scene.open("overview");
    await page.route("https://pay.acme.test/**", (route) => route.fulfill({ body: "The page of the provider" }));
    await page.getByRole("button", { name: "Pay €10.00" }).click();
    await page.waitForURL(/^https:\/\/pay\.acme\.test\//);
    await page.goto(`${scene.origin}/account/payments`);
    await page.getByRole("row", { name: /Paid/ }).getByRole("link", { name: "Invoice" }).first().waitFor();
    await page.getByRole("row", { name: /Open/ }).getByRole("link", { name: "Continue" }).first().waitFor();
    await page.getByRole("button", { name: "Change" }).click();
    await page.getByLabel("When the balance is below (EUR)").fill("7");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Buys €10.00 when the balance is below €7.00, at most 2 times a day.").waitFor();
    await page.context().close();
  });

  it("chooses notices and an address, and finds them again", async () => {
    const { page } = await scene.open("overview");
    await page.getByRole("link", { name: "Notices" }).click();
    await page.getByLabel("Mail to").fill("ann@acme.test");
    await page.getByLabel("A spend limit that is nearly used up").check();
    await page.getByLabel("80%").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel("Mail to").inputValue()).toBe("ann@acme.test");
    expect(await page.getByLabel("80%").isChecked()).toBe(true);
    expect(await page.getByLabel("50%").isChecked()).toBe(false);
    await page.context().close();
  });
});

const addresses = [
  "overview",
  "usage",
  "keys",
  "keys?new=1",
  "requests",
  "requests?id=request-3",
  "payments",
  "terms",
  "notices",
];

it.each(addresses)(
  "%s has no violation at 360 px in light and dark, no error, no request elsewhere, and nothing beside the window",
  async (address) => {
    const { page, problems } = await scene.open(address, { width: 360, scheme: "light" });
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.screenshot({ path: `${folder}/${address.replace(/\W/g, "-")}-${scheme}.png` });
      expect(await violations(page), scheme).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
    await page.context().close();
  },
);

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found: axe.AxeResults = await page.evaluate('axe.run({ resultTypes: ["violations"] })');
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

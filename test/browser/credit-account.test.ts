import { afterAll, beforeAll, expect, it } from "vitest";
import { fact, goTo, type QuickstartScene, setQuickstartScene } from "./quickstart-scene.ts";

let scene: QuickstartScene;
beforeAll(async () => {
  scene = await setQuickstartScene();
});
afterAll(() => scene.close());

it("a credit on the Accounts page pays for requests, and its reason stands in the ledger and the audit log", async () => {
  const reason = "Paid by invoice 2026-117";
  expect(await scene.complete(scene.keys.empty)).toBe(402);

  const { page, problems } = await scene.open();
  // An account without any entry is not in the list of accounts, so its key leads to it.
  await goTo(page, "Keys");
  await page.getByRole("link", { name: /^demonstration: empty / }).click();
  await page.getByRole("link", { name: "empty", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
  await page.getByRole("button", { name: "Credit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Credit empty" });
  await dialog.getByLabel("Amount (USD)").fill("12.50");
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: "Credit" }).click();
  await dialog.waitFor({ state: "detached" });

  const panel = page.getByRole("complementary");
  await fact(panel, "Available").getByText("$12.50").waitFor();
  await expect.poll(() => panel.getByRole("button", { name: reason }).textContent()).toMatch(/^Credit .*\$12\.50/s);
  expect(await scene.complete(scene.keys.empty)).toBe(200);

  await goTo(page, "Audit");
  await page.getByRole("row", { name: "account.credit" }).getByRole("link").click();
  expect(await fact(panel, "Actor").textContent()).toBe(scene.dashboard.user);
  expect(await fact(panel, "Subject").textContent()).toBe("account:empty");
  await expect.poll(() => panel.getByRole("group", { name: "After" }).textContent()).toContain(reason);
  expect(problems).toEqual([]);
});

import { afterAll, beforeAll, expect, it } from "vitest";
import { type DashboardScene, setDashboardScene } from "./dashboard-scene.ts";

let scene: DashboardScene;
beforeAll(async () => {
  scene = await setDashboardScene();
});
afterAll(() => scene.close());

it("freezes an account with a reason, after it says what will happen and focuses Cancel", async () => {
  const { page, problems } = await scene.open("accounts?id=acme");
  await page.getByRole("button", { name: "Freeze" }).click();
  const dialog = page.getByRole("dialog", { name: "Freeze acme?" });
  await expect.poll(() => dialog.textContent()).toContain("will get status 403");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel");
  await dialog.getByLabel("Reason").fill("Chargeback");
  const sent = page.waitForRequest(/\/accounts\/acme\/freeze$/);
  await dialog.getByRole("button", { name: "Freeze account" }).click();
  expect((await sent).postDataJSON()).toEqual({ reason: "Chargeback" });
  await dialog.waitFor({ state: "detached" });
  expect(problems).toEqual([]);
});

it("marks a frozen account in the list, and offers to thaw it", async () => {
  const { page } = await scene.open("accounts");
  await page.getByRole("row", { name: /^umbrella Frozen/ }).click();
  const panel = page.getByRole("complementary");
  await panel.getByText("Chargeback of invoice 2026-104").waitFor();
  await panel.getByRole("button", { name: "Thaw" }).click();
  await page.getByRole("dialog", { name: "Thaw umbrella?" }).waitFor();
});

it("refunds a part of a charge, and says to which money it returns", async () => {
  const { page, problems } = await scene.open("accounts?id=acme&from=2026-11-20&to=2026-11-20&kind=charge");
  await page.getByRole("button", { name: /Image, 1024 by 1024 pixels/ }).click();
  await page.getByRole("button", { name: "Refund" }).click();
  const dialog = page.getByRole("dialog", { name: "Refund charge #89004" });
  await expect.poll(() => dialog.textContent()).toContain("$0.04 came from granted money that expires Dec 20, 2026");
  await dialog.getByLabel("Amount (USD)").fill("0.01");
  await dialog.getByLabel("Reason").fill("Poor image");
  const sent = page.waitForRequest(/\/accounts\/acme\/refunds$/);
  await dialog.getByRole("button", { name: "Refund" }).click();
  expect((await sent).postDataJSON()).toEqual({ sequence: "89004", amount: "0.01", reason: "Poor image" });
  await dialog.waitFor({ state: "detached" });
  expect(problems).toEqual([]);
});

it("credits granted money that expires after its last day in the viewer's zone", async () => {
  const { page } = await scene.open("accounts?id=acme");
  await page.getByRole("button", { name: "Credit" }).click();
  const dialog = page.getByRole("dialog", { name: "Credit acme" });
  await dialog.getByLabel("Amount (USD)").fill("5");
  await dialog.getByLabel("Money").selectOption("granted");
  await dialog.getByLabel("Last day").fill("2026-12-31");
  await dialog.getByLabel("Reason").fill("Welcome");
  const sent = page.waitForRequest(/\/accounts\/acme\/credits$/);
  await dialog.getByRole("button", { name: "Credit" }).click();
  const body = { amount: "5", reason: "Welcome", kind: "granted", expires_at: "2026-12-31T23:00:00.000Z" };
  expect((await sent).postDataJSON()).toEqual(body);
});

it("forgets an account only when its id is typed, and says what was erased", async () => {
  const { page, problems } = await scene.open("accounts?id=massive-dynamic");
  const panel = page.getByRole("complementary");
  const exported = panel.getByRole("link", { name: "Export JSON Lines" });
  expect(await exported.getAttribute("href")).toBe("api/accounts/massive-dynamic/export");
  const sent: unknown[] = [];
  page.on("request", (request) => request.url().endsWith("/forget") && sent.push(request.postDataJSON()));
  await panel.getByRole("button", { name: "Forget" }).click();
  const dialog = page.getByRole("dialog", { name: "Forget massive-dynamic?" });
  await dialog.getByLabel("Reason").fill("Request of the customer");
  await dialog.getByLabel("Type massive-dynamic to confirm").fill("massive");
  await dialog.getByRole("button", { name: "Forget account" }).click();
  await dialog.getByText("This is not the id of the account.").waitFor();
  expect(sent).toEqual([]);
  await dialog.getByLabel("Type massive-dynamic to confirm").fill("massive-dynamic");
  await dialog.getByRole("button", { name: "Forget account" }).click();
  const done = page.getByRole("dialog", { name: "massive-dynamic is forgotten" });
  await expect.poll(() => done.textContent()).toContain("Responses40");
  expect(sent).toEqual([{ reason: "Request of the customer" }]);
  await done.getByRole("button", { name: "Done" }).click();
  await done.waitFor({ state: "detached" });
  expect(problems).toEqual([]);
});

import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DashboardScene, setDashboardScene } from "./dashboard-scene.ts";
import { fact } from "./quickstart-scene.ts";

let scene: DashboardScene;
beforeAll(async () => {
  scene = await setDashboardScene();
});
afterAll(() => scene.close());

it("shows the secret of a new key once, with examples that use it", async () => {
  const { page, problems } = await scene.open("keys?new=1");
  await page.getByLabel("Account").fill("acme");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Create key" }).click();
  expect((await sent).postDataJSON()).toEqual({ account: "acme", plan: "pay-as-you-go" });
  const dialog = page.getByRole("dialog", { name: /^Copy the secret/ });
  const secret = (await dialog.locator(".secret code").textContent()) ?? "";
  expect(secret).toMatch(/^tg_/);
  await expect.poll(() => dialog.getByRole("group", { name: "curl" }).textContent()).toContain(`Bearer ${secret}`);
  await dialog.getByRole("button", { name: "OpenAI SDK" }).click();
  await expect
    .poll(() => dialog.getByRole("group", { name: "OpenAI SDK" }).textContent())
    .toContain(`apiKey: "${secret}"`);
  await page.keyboard.press("Escape");
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  expect(await page.content()).not.toContain(secret);
  expect(problems).toEqual([]);
});

it("shows the examples of the dialects that a key and its plan have, and no other", async () => {
  const apisOf = async (dialog: Locator) => {
    await dialog.getByRole("group", { name: "Client" }).waitFor();
    return dialog.getByRole("group", { name: "API" }).getByRole("button").allTextContents();
  };
  const { page } = await scene.open("keys?new=1");
  await page.getByLabel("Account").fill("acme");
  await page.getByLabel("Plan").selectOption("trial");
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = page.getByRole("dialog", { name: /^Copy the secret/ });
  expect(await apisOf(secret)).toEqual(["Chat Completions", "Messages"]);

  const limited = await scene.open("keys?id=key_0005");
  expect(await fact(limited.page.getByRole("complementary"), "Dialects").textContent()).toBe("messages");
  await limited.page.getByRole("button", { name: "Rotate" }).click();
  await limited.page.getByRole("dialog").getByRole("button", { name: "Rotate key" }).click();
  const rotated = limited.page.getByRole("dialog", { name: /^Copy the secret/ });
  expect(await apisOf(rotated)).toEqual([]);
  expect(await rotated.getByRole("group", { name: "curl" }).textContent()).toContain("/messages");
});

it("names the key that is revoked, says what will happen, and focuses Cancel", async () => {
  const { page } = await scene.open("keys?id=key_0003");
  await page.getByRole("button", { name: "Revoke" }).click();
  const dialog = page.getByRole("dialog", { name: "Revoke umbrella production?" });
  await expect.poll(() => dialog.textContent()).toContain("will get status 401");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Cancel");
});

it("posts a credit with one idempotency key, however often it is sent", async () => {
  const { page } = await scene.open("accounts?id=acme");
  const keys: (string | undefined)[] = [];
  await page.route("**/credits", async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    await (keys.length === 1 ? route.abort() : route.continue());
  });
  await page.getByRole("button", { name: "Credit" }).click();
  const dialog = page.getByRole("dialog", { name: "Credit acme" });
  await dialog.getByLabel("Amount (USD)").fill("12.50");
  await dialog.getByLabel("Reason").fill("Goodwill");
  await dialog.getByRole("button", { name: "Credit" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByRole("button", { name: "Credit" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
});

it("streams an answer in the playground as text, and shows the request as curl", async () => {
  const { page, problems } = await scene.open("playground?account=acme");
  const sent = page.waitForRequest(/chat\/completions$/);
  await page.getByLabel("Message", { exact: true }).fill("What is the capital of France?");
  await page.keyboard.press("Enter");
  expect((await sent).headers()["authorization"]).toBe("Bearer tg_fixture_playground");
  await page.getByText("12 in").waitFor();
  await expect.poll(() => page.locator(".message.assistant .message-text").textContent()).toContain("<b>Not bold.</b>");
  await page.getByText("The request as curl").click();
  const curl = await page.getByRole("group", { name: "The request as curl" }).textContent();
  expect(curl).toContain("Authorization: Bearer $TOLLGATE_KEY");
  expect(curl).not.toContain("tg_fixture");
  expect(problems).toEqual([]);
});

it("talks to an assistant in one session", async () => {
  const { page } = await scene.open("playground?mode=assistant&account=acme");
  const paths: string[] = [];
  page.on("request", (request) => request.method() === "POST" && paths.push(new URL(request.url()).pathname));
  for (const text of ["Hello", "Where is B-1042?"]) {
    await page.getByLabel("Message", { exact: true }).fill(text);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("button", { name: "Send" }).waitFor();
  }
  const messages = "/session/00000000-0000-4000-8000-000000000001/messages";
  expect(paths).toEqual(["/ops/tollgate/api/playground/keys", "/session", messages, messages]);
});

it("zooms to the days that are dragged over, and goes back", async () => {
  const { page } = await scene.open("usage");
  const plot = await page.locator(".chart .u-over").boundingBox();
  if (plot === null) throw new Error("The chart has no plot. Look at the screenshot of the page usage.");
  await page.mouse.move(plot.x + plot.width * 0.2, plot.y + 50);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.5, plot.y + 60, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/from=/);
  const { searchParams } = new URL(page.url());
  expect([searchParams.get("from"), searchParams.get("to")]).toEqual([
    "2026-11-18T00:00:00.000Z",
    "2026-11-21T00:00:00.000Z",
  ]);
  await page.goBack();
  expect(new URL(page.url()).search).toBe("");
});

it("says that the network is slow, and keeps what it shows", async () => {
  const { page } = await scene.open("keys");
  await page.route("**/api/keys?*", () => undefined);
  await page.getByLabel("State").selectOption("revoked");
  await page.getByText("The network is slow.").waitFor();
  await expect.poll(() => page.locator("tbody tr").count()).toBe(50);
});

it("says what to do when a request fails, and tries again", async () => {
  const { page } = await scene.open("health");
  await page.route("**/api/keys", (route) => route.abort());
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page.getByText("Check your connection").waitFor();
  await page.unroute("**/api/keys");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("acme batch").waitFor();
});

it("loads further pages of a list", async () => {
  const { page } = await scene.open("keys");
  await page.getByRole("button", { name: "Load more" }).click();
  await page.getByRole("button", { name: "Load more" }).waitFor({ state: "detached" });
  await expect.poll(() => page.locator("tbody tr").count()).toBe(60);
});

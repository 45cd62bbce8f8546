import { createServer } from "node:http";
import { basicLogin, dashboard } from "@tollgate/dashboard";
import { nodeHandler } from "@tollgate/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pageNames } from "../../packages/dashboard/src/page/load-page.ts";
import { type Host, listen } from "../http/mounts/mount.ts";
import { memoryStores, sceneGateway } from "../management/scene.ts";
import { usageRow } from "../management/usage-row.ts";
import { type Browser, launchBrowser, openPage } from "./browser.ts";

const prefix = "/ops/tollgate";
const stores = memoryStores();
let browser: Browser;
let host: Host;
beforeAll(async () => {
  await stores.keys.create({ account: "acme", plan: "prepaid", name: "shop" });
  await stores.balances.credit({ account: "acme", amount: 5_000_000_000n, id: "invoice-1", reason: "Invoice 1" });
  await stores.usage.record([usageRow()]);
  const page = dashboard({
    gateway: sceneGateway(stores),
    stores,
    currency: "EUR",
    routerUrl: "/router/v1",
    authorize: () => ({ actor: "ada", role: "admin" }),
  });
  host = await listen(createServer(nodeHandler(page, { prefix })));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await host.close();
});

it.each(pageNames)('the page "%s" reads the management API without a problem', async (name) => {
  const origin = `http://127.0.0.1:${host.port}`;
  const { page, problems } = await openPage(browser, { width: 1440, scheme: "light" }, origin);
  await page.goto(`${origin}${prefix}/${name}`);
  await page.waitForFunction(() => document.querySelector(".skeleton-line, [aria-busy='true']") === null);
  await expect.poll(() => page.getByRole("alert").allTextContents()).toEqual([]);
  expect(problems).toEqual([]);
});

it("creates a key, and opens it", async () => {
  const origin = `http://127.0.0.1:${host.port}`;
  const { page, problems } = await openPage(browser, { width: 1440, scheme: "light" }, origin);
  await page.goto(`${origin}${prefix}/keys?new=1`);
  await page.getByLabel("Account").fill("globex");
  await page.getByLabel("Spend limit (EUR)").fill("12.50");
  await page.getByRole("button", { name: "Create key" }).click();
  await page
    .getByRole("dialog", { name: /^Copy the secret/ })
    .getByRole("button", { name: "Done" })
    .click();
  await page.getByRole("cell", { name: "globex" }).click();
  await page.getByText("€0.00 of €12.50 a month").waitFor();
  expect(problems).toEqual([]);
});

it("asks before it credits an account that does not exist, and filters its ledger by kind and day", async () => {
  const origin = `http://127.0.0.1:${host.port}`;
  const { page } = await openPage(browser, { width: 1440, scheme: "light" }, origin);
  await page.goto(`${origin}${prefix}/accounts?id=acmee`);
  await page.getByText("There is no account acmee yet.").waitFor();
  await page.getByRole("button", { name: "Credit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount (EUR)").fill("0.000001");
  await dialog.getByLabel("Reason").fill("Small");
  await dialog.getByRole("button", { name: "Credit" }).click();
  expect(await dialog.getByLabel("acmee is a new account. Create it.").evaluate(isInvalid)).toBe(true);
  expect(stores.balances.findAccount("acmee")).toBeUndefined();
  await dialog.getByLabel("acmee is a new account. Create it.").check();
  await dialog.getByRole("button", { name: "Credit" }).click();
  await dialog.waitFor({ state: "detached" });
  const line = page.getByRole("button", { name: "Small" });
  await expect.poll(() => line.textContent()).toMatch(/^Credit Small.*€0\.000001/s);
  await page.getByLabel("Kind").selectOption("charge");
  await page.getByText("No entry matches.").waitFor();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await line.waitFor();
});

const isInvalid = (element: Element): boolean => element.matches(":invalid");

it("signs out, after which the browser has forgotten the password", async () => {
  const authorize = basicLogin({ user: "ann", password: "correct-horse" });
  const page = dashboard({ gateway: sceneGateway(stores), stores, authorize });
  const own = await listen(createServer(nodeHandler(page, { prefix })));
  const address = `127.0.0.1:${own.port}${prefix}/usage`;
  const tab = await (await browser.newContext()).newPage();
  await tab.goto(`http://ann:correct-horse@${address}`);
  expect((await tab.goto(`http://${address}`))?.status()).toBe(200);
  const [answer] = await Promise.all([
    tab.waitForResponse((response) => response.url().includes("/sign-out")),
    tab.getByRole("link", { name: "Sign out" }).click(),
  ]);
  expect(answer.status()).toBe(401);
  // A headless browser cancels the dialog that asks for a password.
  await expect(tab.goto(`http://${address}`)).rejects.toThrow("ERR_INVALID_AUTH_CREDENTIALS");
  await tab.context().close();
  await own.close();
});

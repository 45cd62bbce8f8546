import { createServer } from "node:http";
import { dashboard } from "@tollgate/dashboard";
import { nodeHandler } from "@tollgate/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pageNames } from "../../packages/dashboard/src/page/page-routes.ts";
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

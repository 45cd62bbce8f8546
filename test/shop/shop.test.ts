import { cpSync } from "node:fs";
import { performance } from "node:perf_hooks";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser, launchBrowser } from "../browser/browser.ts";
import { blocksOf, readPage } from "../docs/markdown.ts";
import { type StrangerApp, strangerApp } from "../packages/published/stranger-app.ts";
import { pay, refund } from "../support/stripe/actions.ts";
import { type StripeServer, startStripe } from "../support/stripe/stripe-server.ts";
import { type MockUpstream, startMockUpstream } from "../upstream/mock-upstream.ts";
import { textAnswer } from "../upstream/model-answer.ts";
import { type StartedShop, startShop } from "./started-shop.ts";

// The tests are the steps of one customer, in their order. The packages come from the registry that `local-registry.ts` starts.
const signingSecret = "whsec_Zk3vB8qLw1TnR5yXc7MdH2sJf9GpAe4U";
const [operator, customer] = ["password of the operator", "password of the customer"];
const began = performance.now();
let folder: StrangerApp;
let stripe: StripeServer;
let upstream: MockUpstream;
let shop: StartedShop;
let browser: Browser;
let page: Page;
/** What a step leaves for later ones. */
const made = { key: "", intent: "" };

beforeAll(async () => {
  [stripe, upstream, browser] = await Promise.all([startStripe(), startMockUpstream(), launchBrowser()]);
  // 8 cents at the prices of the shop.
  upstream.reply = () => ({ answer: textAnswer(["Hello"], { input: 0, output: 40_000 }) });
  folder = await strangerApp([], []);
  cpSync("examples/shop/src", folder.folder, { recursive: true });
  // Without a shell, which would drop the variable that names the registry.
  for (const [program = "", ...parameters] of commandsOfThePage()) await folder.run(program, ...parameters);
  shop = await startShop(folder.folder, {
    OPENAI_BASE_URL: upstream.url,
    OPENAI_API_KEY: "sk-of-the-shop",
    DASHBOARD_PASSWORD: operator,
    STRIPE_API_KEY: "sk_test_of_the_stand_in",
    STRIPE_WEBHOOK_SECRET: signingSecret,
    STRIPE_API_URL: `http://127.0.0.1:${stripe.port}`,
  });
  stripe.webhooks.endpoints.push({ url: `${shop.url}/payments/webhook`, secrets: [signingSecret] });
  page = await (await browser.newContext({ locale: "en-US" })).newPage();
});

afterAll(async () => {
  await browser?.close();
  shop?.kill();
  folder?.[Symbol.dispose]();
  await Promise.all([stripe?.close(), upstream?.close()]);
});

/** The commands that install, as docs/recipes/shop.md has them. */
function commandsOfThePage(): readonly (readonly string[])[] {
  const path = "docs/recipes/shop.md";
  const scripts = blocksOf({ path, text: readPage(path) }).filter(({ language }) => language === "sh");
  const lines = scripts.flatMap(({ code }) => code.split("\n"));
  return lines.filter((line) => line.startsWith("npm ")).map((line) => line.split(" "));
}

it("lets a stranger sign up, who logs in again later", async () => {
  await page.goto(`${shop.url}/`);
  expect(new URL(page.url()).pathname).toBe("/login");
  await page.getByRole("link", { name: "Sign up" }).click();
  await enter("Sign up", "too short");
  await page.getByRole("alert").getByText("12 to 200 characters").waitFor();
  await enter("Sign up", customer);
  await page.waitForURL(/\/account\//);
  await page.goto(`${shop.url}/logout`);
  await enter("Log in", "not the password");
  await page.getByText("The name or the password is wrong.").waitFor();
  await enter("Log in", customer);
  await page.waitForURL(/\/account\//);
});

it("refuses a login from another site, a name that is taken, and a cookie that it has not signed", async () => {
  const post = (path: string, site: string) =>
    fetch(shop.url + path, {
      method: "POST",
      headers: { "sec-fetch-site": site },
      body: new URLSearchParams({ name: "ann", password: customer }),
      redirect: "manual",
    });
  const [foreign, taken] = [await post("/login", "cross-site"), await post("/signup", "same-origin")];
  const [cookie] = await page.context().cookies();
  const forged = `shop_login=${cookie?.value.replace(/^ann/, "bob")}`;
  const opened = await fetch(`${shop.url}/account/api/me`, { headers: { cookie: forged } });
  expect([foreign.status, taken.status, opened.status]).toEqual([403, 409, 401]);
  expect(cookie).toMatchObject({ name: "shop_login", httpOnly: true, sameSite: "Lax" });
});

it("credits what the customer buys", async () => {
  await page.route("https://checkout.stripe.com/**", (route) => route.fulfill({ body: "The page of Stripe" }));
  await page.getByRole("button", { name: "Pay $10.00" }).click();
  await page.waitForURL(/^https:\/\/checkout\.stripe\.com\//);
  made.intent = pay(stripe.account, page.url().split("/").at(-1) ?? "").id;
  expect(new Set(await stripe.webhooks.deliver())).toEqual(new Set([200]));
  await page.goto(`${shop.url}/account/payments`);
  await page.getByRole("row", { name: /Paid/ }).waitFor();
});

it("answers with the key that the customer creates", async () => {
  await page.goto(`${shop.url}/account/keys`);
  await page.getByRole("link", { name: "Create key" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill("laptop");
  await page.getByRole("button", { name: "Create key" }).click();
  made.key = (await page.getByRole("dialog").locator(".secret code").textContent()) ?? "";
  expect(await ask()).toMatchObject([200, { model: "acme-small", choices: [{ message: { content: "Hello" } }] }]);
});

it("shows balance and usage on the page of the shop, and the request in the portal", async () => {
  await page.goto(`${shop.url}/`);
  await page.locator("tollgate-balance").getByText("$9.92").first().waitFor();
  // Usage is written in batches, and the element has no table before.
  await expect.poll(tableOfUsage, { timeout: 30_000 }).toContain("$0.08");
  await page.goto(`${shop.url}/account/requests`);
  await page.getByRole("row", { name: /acme-small/ }).waitFor();
});

it("lets the operator refund the charge, and takes credit back that Stripe has refunded", async () => {
  const [charge] = (await entries()).filter(({ kind }) => kind === "charge");
  const refunded = await operate("POST", "refunds", { sequence: charge?.sequence, reason: "a wrong answer" });
  expect(refunded).toMatchObject([200, { outcome: "posted", balance: { posted: "10" } }]);
  refund(stripe.account, made.intent, 400);
  expect(new Set(await stripe.webhooks.deliver())).toEqual(new Set([200]));
  await page.goto(`${shop.url}/`);
  await page.locator("tollgate-balance").getByText("$6.00").first().waitFor();
});

it("ends at SIGTERM, less than five minutes after the folder was empty", async () => {
  expect(await shop.stop()).toBe(0);
  expect(performance.now() - began).toBeLessThan(5 * 60_000);
});

async function tableOfUsage(): Promise<string> {
  await page.reload();
  await page.locator("tollgate-usage").getByText("last 7 days").first().waitFor();
  return (await page.locator("tollgate-usage table").allTextContents()).join();
}

async function enter(button: string, password: string): Promise<void> {
  await page.getByLabel("Name").fill("ann");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: button }).click();
}

async function ask(): Promise<readonly [status: number, answer: unknown]> {
  const response = await fetch(`${shop.url}/router/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${made.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] }),
  });
  return [response.status, await response.json()];
}

/** Calls the API of the operator about the account of the customer. */
async function operate(method: string, path: string, body?: object) {
  const headers = {
    authorization: `Basic ${btoa(`admin:${operator}`)}`,
    "content-type": "application/json",
    "sec-fetch-site": "same-origin",
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${shop.url}/tollgate/api/accounts/ann/${path}`, { method, headers, ...sent });
  return [response.status, await response.json()] as const;
}

async function entries(): Promise<readonly { readonly kind: string; readonly sequence: string }[]> {
  const [, { data }] = await operate("GET", "entries");
  return data;
}

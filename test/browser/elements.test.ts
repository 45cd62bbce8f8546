import { createServer } from "node:http";
import { browserTokens } from "@tollgate/browser-tokens";
import { createGateway } from "@tollgate/core";
import { nodeHandler } from "@tollgate/node";
import { portal } from "@tollgate/portal";
import axe from "axe-core";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Host, listen } from "../http/mounts/mount.ts";
import { memoryStores } from "../management/scene.ts";
import { usageRow } from "../management/usage-row.ts";
import { authorize, storesOf } from "../portal/scene.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";
import { openPayments } from "./acme-payments.ts";
import { type Browser, launchBrowser, openPage } from "./browser.ts";

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Acme</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><script type="module" src="/page.js"></script></head>
<body><main><h1>Acme</h1>
<tollgate-balance router-url="/router/v1"></tollgate-balance>
<tollgate-usage router-url="/router/v1" currency="EUR" days="7"></tollgate-usage>
<tollgate-keys portal-url="/account"></tollgate-keys>
<tollgate-buy payments-url="/payments" currency="EUR"></tollgate-buy></main></body></html>`;

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; require-trusted-types-for 'script'";

const stores = memoryStores();
const nano = 1_000_000_000n;
let browser: Browser;
let host: Host;
let counter: Awaited<ReturnType<typeof openPayments>>;
let origin: string;

beforeAll(async () => {
  const provider = scriptedProvider({ complete: async () => completionOf("Hi") });
  const gateway = createGateway({
    keys: stores.keys,
    balances: stores.balances,
    usage: { store: stores.usage },
    currency: "EUR",
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [
      { id: "plain", maxOutputTokens: 100, price: { input: "1", output: "2" }, targets: [{ provider, model: "m" }] },
    ],
    extensions: [browserTokens({ secret: "0123456789".repeat(4), origins: ["https://app.example"] })],
  });
  const { key } = await stores.keys.create({ account: "acme", plan: "prepaid", name: "site" });
  await stores.keys.create({ account: "acme", plan: "prepaid", name: "unused" });
  await stores.balances.credit({ id: "1", account: "acme", amount: 2n * nano, reason: "Invoice 1" });
  await stores.usage.record([usageRow({ keyId: key.id, cost: nano })]);
  counter = await openPayments(stores, gateway);
  const own = portal({ gateway, stores: storesOf(stores), authorize, keys: { plan: "prepaid" } });
  const [router, account] = [nodeHandler(gateway, { prefix: "/router/v1" }), nodeHandler(own, { prefix: "/account" })];
  const { outputFiles } = await build({
    entryPoints: [`${import.meta.dirname}/elements-page.ts`],
    bundle: true,
    write: false,
    format: "esm",
    conditions: ["@tollgate/source"],
  });
  const files: Readonly<Record<string, () => Promise<readonly [type: string, text: string]>>> = {
    "/": async () => ["text/html", html],
    "/page.js": async () => ["text/javascript", outputFiles[0]?.text ?? ""],
    "/token": async () => [
      "text/plain",
      (await gateway.browserTokens.create({ keyId: key.id, scopes: ["account:read"] })).token,
    ],
    "/favicon.ico": async () => ["image/x-icon", ""],
  };
  host = await listen(
    createServer(async (request, response) => {
      const file = await files[request.url ?? ""]?.();
      if (file !== undefined) {
        response.writeHead(200, { "content-type": file[0], "content-security-policy": policy }).end(file[1]);
      } else {
        const { url = "" } = request;
        const handle = url.startsWith("/account") ? account : url.startsWith("/payments") ? counter.handle : router;
        void handle(request, response);
      }
    }),
  );
  origin = `http://127.0.0.1:${host.port}`;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await counter.close();
  await host.close();
});

it("show the balance and the usage by a token that is renewed, sell credit, and create, rotate and revoke keys", async () => {
  const { page, problems } = await openPage(browser, { width: 360, scheme: "light" }, origin);
  await page.clock.setFixedTime(Date.now());
  await page.context().addCookies([{ name: "person", value: "ann", url: origin }]);
  await page.goto(origin);
  await page.getByText("€12.00").waitFor();
  await page.locator("tollgate-usage").getByText("€1.00", { exact: true }).first().waitFor();

  const keys = page.locator("tollgate-keys");
  await keys.getByLabel("Name").fill("laptop");
  await keys.getByRole("button", { name: "Create key" }).click();
  const secret = await keys.locator("code").textContent();
  expect(await stores.keys.find(secret ?? "")).toMatchObject({ account: "acme", name: "laptop" });
  await keys.getByRole("button", { name: "Done" }).click();
  page.on("dialog", (dialog) => void dialog.accept());
  await keys.getByRole("button", { name: /^Rotate laptop/ }).click();
  const rotated = await keys.locator("code").textContent();
  expect(rotated).not.toBe(secret);
  await keys.getByRole("button", { name: "Done" }).click();
  await keys.getByRole("button", { name: /^Revoke unused/ }).click();
  await keys.getByText(/^unused/).waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Pay €10.00" }).click();
  await expect.poll(() => page.title()).toMatch(/^https:\/\/pay\.acme\.test\//);
  expect(problems.filter((problem) => !problem.includes("status of 401"))).toEqual([]);
});

it.each(["light", "dark"] as const)("have no violation at 360 px, in %s", async (scheme) => {
  const { page } = await openPage(browser, { width: 360, scheme }, origin);
  await page.clock.setFixedTime(Date.now());
  await page.context().addCookies([{ name: "person", value: "ann", url: origin }]);
  await page.goto(origin);
  await page.getByRole("button", { name: "Pay €10.00" }).waitFor();
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  await page.screenshot({ path: `test-results/portal/elements-${scheme}.png`, fullPage: true });
  await page.evaluate(axe.source);
  const found: axe.AxeResults = await page.evaluate('axe.run({ resultTypes: ["violations"] })');
  expect(found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await page.context().close();
});

it("say what to do without a token, an attribute or an answer", async () => {
  const { page } = await openPage(browser, { width: 1440, scheme: "light" }, origin);
  await page.context().addCookies([{ name: "person", value: "ann", url: origin }]);
  await page.goto(origin);
  await page.evaluate(() => {
    const balance = document.createElement("tollgate-balance");
    balance.setAttribute("router-url", "/router/v1");
    document.body.replaceChildren(balance, document.createElement("tollgate-keys"));
  });
  await page.getByText("Set its property `token`").waitFor();
  await page.getByText("needs the attribute portal-url").waitFor();
  await page.context().close();
});

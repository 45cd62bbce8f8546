import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { formatAmount, type Gateway, generateKey, parseAmount } from "@tollgate/core";
import express from "express";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { listen } from "../http/mounts/mount.ts";
import { type MockUpstream, startMockUpstream } from "../upstream/mock-upstream.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-recipes-"));
const signingSecret = "whsec_test_of_the_recipe";
let upstream: MockUpstream;

beforeAll(async () => {
  upstream = await startMockUpstream();
  vi.stubEnv("DATABASE_FILE", join(folder, "acme.db"))
    .stubEnv("OPENAI_BASE_URL", upstream.url)
    .stubEnv("OPENAI_API_KEY", "sk-of-the-host")
    .stubEnv("ANTHROPIC_API_KEY", "sk-ant-of-the-host")
    .stubEnv("STRIPE_WEBHOOK_SECRET", signingSecret);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await upstream.close();
  rmSync(folder, { recursive: true });
});

const stores = () => import("../../examples/shop/src/gateway.ts");

async function serve(listener: RequestListener): Promise<string> {
  const { port, close } = await listen(createServer(listener));
  onTestFinished(async () => void (await close()));
  return `http://127.0.0.1:${port}`;
}

const ask = (gateway: Gateway, secret: string, model: string) =>
  gateway.fetch(
    new Request("http://host.test/router/v1/chat/completions", {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Hi" }] }),
    }),
  );

describe("own provider keys", () => {
  it("sends the requests of a customer with the customer's own key, for a fee per request", async () => {
    const { createOwnKey, gateway, setCredentials } = await import("../../examples/mounts/src/own-provider-keys.ts");
    const { balances } = await stores();
    setCredentials([
      { account: "ann", apiKey: "sk-of-ann" },
      { account: "bob", apiKey: "sk-of-bob" },
    ]);
    await balances.credit({ id: "fees", account: "bob", amount: parseAmount("1"), reason: "test" });
    const { secret } = await createOwnKey("bob");
    const answer = await ask(gateway, secret, "bob/gpt-5-mini");
    expect([answer.status, upstream.last().headers.authorization]).toEqual([200, "Bearer sk-of-bob"]);
    await answer.text();
    await vi.waitUntil(() => gateway.inFlight() === 0, { timeout: 10_000 });
    expect(formatAmount((await balances.balance("bob")).available)).toBe("0.9995");
  });

  it("keeps customers from the keys of others, whatever their plan", async () => {
    const { createOwnKey, gateway } = await import("../../examples/mounts/src/own-provider-keys.ts");
    const { balances, keys } = await stores();
    const { secret: bob } = await createOwnKey("bob");
    const { secret: carl } = await keys.create({ account: "carl", plan: "prepaid" });
    await balances.credit({ id: "carl", account: "carl", amount: parseAmount("1"), reason: "test" });
    expect((await ask(gateway, bob, "ann/gpt-5-mini")).status).toBe(404);
    expect((await ask(gateway, carl, "ann/gpt-5-mini")).status).toBe(404);
    expect((await ask(gateway, carl, "acme-small")).status).toBe(200);
  });

  it("uses another key from the next request on", async () => {
    const { createOwnKey, gateway, setCredentials } = await import("../../examples/mounts/src/own-provider-keys.ts");
    const { secret } = await createOwnKey("bob");
    setCredentials([{ account: "bob", apiKey: "sk-second-of-bob" }]);
    expect((await ask(gateway, secret, "bob/gpt-5-mini")).status).toBe(200);
    expect(upstream.last().headers.authorization).toBe("Bearer sk-second-of-bob");
  });
});

describe("top-ups with Stripe", () => {
  const session = (more: object) => ({
    ...{ id: "cs_1", object: "checkout.session", currency: "usd", amount_total: 2_500, payment_status: "paid" },
    metadata: { account: "dora" },
    ...more,
  });

  /** Sends an event as https://docs.stripe.com/webhooks#verify-manually describes it. */
  async function send(url: string, event: object, { secret = signingSecret, at = Date.now() } = {}): Promise<number> {
    const body = JSON.stringify({ id: "evt_1", object: "event", ...event });
    const seconds = Math.floor(at / 1_000);
    const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    const headers = { "content-type": "application/json", "stripe-signature": `t=${seconds},v1=${signature}` };
    const { status } = await fetch(`${url}/stripe/webhook`, { method: "POST", headers, body });
    return status;
  }

  const completed = (more: object) => ({ type: "checkout.session.completed", data: { object: session(more) } });

  async function openHost() {
    const { stripeWebhook } = await import("../../examples/shop/src/stripe-webhook.ts");
    const { balances } = await stores();
    const app = express().set("env", "test").use(stripeWebhook, express.json());
    const available = async (account: string) => formatAmount((await balances.balance(account)).available);
    return { url: await serve(app), available };
  }

  it("credits a paid session once, however often and in however many events it comes", async () => {
    const { url, available } = await openHost();
    const paid = completed({ id: "cs_once", metadata: { account: "once" } });
    const statuses = await Promise.all(Array.from({ length: 5 }, () => send(url, paid)));
    statuses.push(await send(url, { ...paid, id: "evt_2", type: "checkout.session.async_payment_succeeded" }));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await available("once")).toBe("25");
  });

  it("credits a session that is paid later when it is paid, without the tax", async () => {
    const { url, available } = await openHost();
    const later = { id: "cs_later", metadata: { account: "later" }, total_details: { amount_tax: 400 } };
    expect(await send(url, completed({ ...later, payment_status: "unpaid" }))).toBe(200);
    expect(await available("later")).toBe("0");
    const data = { object: session(later) };
    expect(await send(url, { type: "checkout.session.async_payment_succeeded", data })).toBe(200);
    expect(await available("later")).toBe("21");
  });

  it("credits nothing for a forged, an old or an unsigned event", async () => {
    const { url, available } = await openHost();
    const forged = completed({ id: "cs_forged", metadata: { account: "forged" } });
    expect(await send(url, forged, { secret: "whsec_another" })).toBe(400);
    expect(await send(url, forged, { at: Date.now() - 600_000 })).toBe(400);
    const unsigned = await fetch(`${url}/stripe/webhook`, { method: "POST", body: JSON.stringify(forged) });
    expect(unsigned.status).toBe(400);
    expect(await available("forged")).toBe("0");
  });

  it("credits nothing for sessions of another kind, and lets Stripe repeat what it cannot credit", async () => {
    const { url, available } = await openHost();
    expect(await send(url, completed({ id: "cs_shop", metadata: {} }))).toBe(200);
    expect(await send(url, { type: "customer.created", data: { object: {} } })).toBe(200);
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    expect(await send(url, completed({ id: "cs_yen", currency: "jpy", metadata: { account: "yen" } }))).toBe(500);
    error.mockRestore();
    expect(await available("yen")).toBe("0");
  });

  it("sends a person to a session of the account", async () => {
    const { startTopUp } = await import("../../examples/shop/src/stripe-checkout.ts");
    const received: string[] = [];
    const url = await serve(async (request, response) => {
      received.push(`${request.method} ${request.url}`, await text(request));
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify(session({ url: "https://pay.test/1" })));
    });
    const { hostname, port } = new URL(url);
    const stripe = new Stripe("sk_test_1", { host: hostname, port, protocol: "http" });
    expect(await startTopUp(stripe, "dora", 2_500)).toBe("https://pay.test/1");
    const [line, body = ""] = received;
    expect(line).toBe("POST /v1/checkout/sessions");
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      mode: "payment",
      "metadata[account]": "dora",
      "line_items[0][price_data][unit_amount]": "2500",
    });
  });
});

describe("the page of the terms", () => {
  it("lets a person accept the version in force, and the client sends its request again", async () => {
    const { app } = await import("../../examples/mounts/src/express.ts");
    const { termsPage } = await import("../../examples/shop/src/terms-page.ts");
    const { complete } = await import("../../examples/mounts/src/terms-in-a-client.ts");
    const { balances, keys } = await stores();
    const { secret } = await keys.create({ account: "erin", plan: "prepaid" });
    await balances.credit({ id: "erin", account: "erin", amount: parseAmount("1"), reason: "test" });
    const url = await serve(
      express().use(
        termsPage(({ headers }) => headers.cookie?.replace("account=", "")),
        app,
      ),
    );
    const pages: string[] = [];
    const accept = async (page: string) => {
      pages.push(page);
      const form = await (await fetch(`${url}/terms`)).text();
      const version = /value="([^"]*)"/.exec(form)?.[1] ?? "";
      expect(await submit(url, version, { cookie: "account=erin", "sec-fetch-site": "cross-site" })).toBe(403);
      expect(await submit(url, version, { "sec-fetch-site": "same-origin" })).toBe(303);
      expect(await submit(url, version, { cookie: "account=erin", "sec-fetch-site": "same-origin" })).toBe(200);
    };
    const request = {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] }),
    };
    const response = await complete(`${url}/router/v1/chat/completions`, request, accept);
    expect([response.status, pages]).toEqual([200, ["https://acme.example/terms"]]);
  });

  async function submit(url: string, version: string, headers: Record<string, string>): Promise<number> {
    const body = new URLSearchParams({ version });
    const { status } = await fetch(`${url}/terms`, { method: "POST", redirect: "manual", headers, body });
    return status;
  }
});

it("a region refuses the keys of another, and says where to send them", async () => {
  const { refuseOtherRegions } = await import("../../examples/mounts/src/region.ts");
  const baseURLs = new Map([["acme_us", "https://us.api.acme.example/router/v1"]]);
  const url = await serve(
    express().use(refuseOtherRegions("acme_eu", baseURLs), (_, response) => response.send("own")),
  );
  const send = (headers: Record<string, string>) => fetch(url, { headers });
  const refused = await send({ authorization: `Bearer ${generateKey("acme_us")}` });
  expect([refused.status, await refused.json()]).toEqual([
    421,
    { error: expect.objectContaining({ message: expect.stringContaining("https://us.api.acme.example/router/v1.") }) },
  ]);
  expect((await send({ "x-api-key": generateKey("acme_us") })).status).toBe(421);
  expect((await send({ authorization: `Bearer ${generateKey("acme_eu")}` })).status).toBe(200);
  expect((await send({})).status).toBe(200);
});

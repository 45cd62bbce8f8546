import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatAmount, type Gateway, generateKey, parseAmount } from "@tollgate/core";
import { tollgate } from "@tollgate/express";
import { generateText } from "ai";
import express from "express";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { listen } from "../http/mounts/mount.ts";
import { dispute, pay } from "../support/stripe/actions.ts";
import { startStripe } from "../support/stripe/stripe-server.ts";
import { type MockUpstream, startMockUpstream } from "../upstream/mock-upstream.ts";
import { newCustomer } from "./new-customer.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-recipes-"));
const signingSecret = "whsec_Zk3vB8qLw1TnR5yXc7MdH2sJf9GpAe4U";
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

describe("clients in the same process", () => {
  it("get answers of the gateway without a socket, which their account pays", async () => {
    const { clientsOf } = await import("../../examples/clients/src/in-process.ts");
    const { balances, gateway } = await stores();
    const { openai, anthropic, aiSdk } = clientsOf(await newCustomer("emil"));
    const [model, messages] = ["acme-small", [{ role: "user" as const, content: "Hi" }]];
    const before = (await balances.balance("emil")).totals.used;
    const { choices } = await openai.chat.completions.create({ model, messages });
    const { content } = await anthropic.messages.create({ model, messages, max_tokens: 100 });
    const { text } = await generateText({ model: aiSdk.chat(model), messages });
    const answers = [choices[0]?.message.content, content[0]?.type === "text" && content[0].text, text];
    expect(answers).toEqual([text, text, text]);
    await vi.waitUntil(() => gateway.inFlight() === 0, { timeout: 10_000 });
    expect((await balances.balance("emil")).totals.used).toBeGreaterThan(before);
  });
});

describe("top-ups with Stripe", () => {
  async function openHost() {
    const { sellCredit } = await import("../../examples/shop/src/payments.ts");
    const { balances } = await stores();
    const stripe = await startStripe();
    onTestFinished(() => stripe.close());
    const counter = sellCredit(stripe.client, false, (cookie) => cookie?.replace("account=", ""));
    onTestFinished(() => counter.stop());
    const url = await serve(express().set("env", "test").use("/payments", tollgate(counter), express.json()));
    stripe.webhooks.endpoints.push({ url: `${url}/payments/webhook`, secrets: [signingSecret] });
    return { balances, stripe, url };
  }

  it("credit what a customer has bought from the page of the recipe, and freeze the account of a dispute", async () => {
    const { balances, stripe, url } = await openHost();
    const { buy } = await import("../../examples/shop/src/buy.ts");
    const fromPage = (path: string | URL | Request, init?: RequestInit) =>
      origin(`${url}${String(path)}`, {
        ...init,
        headers: { "content-type": "application/json", cookie: "account=dora", "sec-fetch-site": "same-origin" },
      });
    const origin = globalThis.fetch;
    vi.stubGlobal("fetch", fromPage);
    const page = await buy("credit-50").finally(() => vi.unstubAllGlobals());
    const { id } = pay(stripe.account, page.split("/").at(-1) ?? "");
    expect(new Set(await stripe.webhooks.deliver())).toEqual(new Set([200]));
    expect(formatAmount((await balances.balance("dora")).posted)).toBe("55");
    dispute(stripe.account, id);
    await stripe.webhooks.deliver();
    expect(await balances.balance("dora")).toMatchObject({ posted: 0n, frozen: { reason: expect.any(String) } });
  });

  it("refuse a customer who is not logged in, another site, and an event that Stripe has not signed", async () => {
    const { stripe, url } = await openHost();
    const post = (path: string, headers: Record<string, string>) =>
      fetch(`${url}/payments${path}`, { method: "POST", headers, body: '{"product":"credit-10"}' });
    const json = { "content-type": "application/json" };
    const statuses = [
      await post("/checkout", { ...json, "sec-fetch-site": "same-origin" }),
      await post("/checkout", { ...json, "sec-fetch-site": "cross-site", cookie: "account=eve" }),
      await post("/webhook", { ...json, "stripe-signature": "t=1,v1=00" }),
    ].map(({ status }) => status);
    expect([statuses, stripe.account.sessions()]).toEqual([[401, 403, 400], []]);
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

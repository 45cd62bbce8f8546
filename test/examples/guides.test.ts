import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  createGateway,
  formatAmount,
  type GatewayEvent,
  memoryBalanceStore,
  memoryKeyStore,
  openaiCompatible,
  type Target,
} from "@tollgate/core";
import { nodeHandler } from "@tollgate/node";
import express from "express";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { logEvent } from "../../examples/mounts/src/observer.ts";
import { operatorLogin } from "../../examples/mounts/src/operator-login.ts";
import { withGateway } from "../../examples/mounts/src/own-mount.ts";
import { shoutingProvider } from "../../examples/mounts/src/own-provider.ts";
import { shutDown } from "../../examples/shop/src/shut-down.ts";
import { listen } from "../http/mounts/mount.ts";
import { httpUpstream, type Upstream } from "../providers/upstream.ts";
import { newCustomer } from "./new-customer.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-guides-"));
const completion = {
  ...{ id: "x", object: "chat.completion", created: 1, model: "gpt-5-mini" },
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
let upstream: Upstream;
let answerLater: ((response: ServerResponse) => void) | undefined;

beforeAll(async () => {
  upstream = await httpUpstream((_, response) => {
    if (answerLater === undefined) response.end(JSON.stringify(completion));
    else answerLater(response);
  });
  process.env["DATABASE_FILE"] = join(folder, "acme.db");
  process.env["OPENAI_BASE_URL"] = upstream.baseURL;
  process.env["ADMIN_TOKEN_SHA256"] = createHash("sha256").update("admin-token").digest("hex");
});

afterAll(async () => {
  await upstream.close();
  rmSync(folder, { recursive: true });
});

const ask = (secret: string, model = "acme-small") =>
  new Request("http://host.test/router/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hi" }] }),
  });

/** A gateway with one free model, and a key. */
async function gatewayOf(target: Target, more: { readonly observer?: (event: GatewayEvent) => void } = {}) {
  const keys = memoryKeyStore();
  const gateway = createGateway({
    keys,
    balances: memoryBalanceStore(),
    plans: [{ id: "free", billing: "none" }],
    models: [{ id: "m", maxOutputTokens: 100, price: "free", targets: [target] }],
    ...more,
  });
  const { secret } = await keys.create({ account: "acme", plan: "free" });
  return { gateway, secret };
}

it("the page of the guide calls a model with a token of its visitor", async () => {
  process.env["TOKEN_SECRET"] = "the-secret-of-the-tokens-of-the-guides";
  process.env["PAGE_ORIGIN"] = "https://page.example";
  const { balances, keys } = await import("../../examples/shop/src/gateway.ts");
  const { appFor, gateway } = await import("../../examples/mounts/src/browser-tokens.ts");
  const { key } = await keys.create({ account: "visited", plan: "prepaid" });
  await balances.credit({ id: "visited", account: "visited", amount: "5", reason: "test" });
  const visitorOf = ({ headers }: { readonly headers: { readonly cookie?: string | undefined } }) =>
    headers.cookie === "login=ann" ? { id: "ann", keyId: key.id } : undefined;
  const server = createServer(appFor(visitorOf)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await fetch(`${origin}/token`, { method: "POST" })).status).toBe(401);
  // What a browser adds to each request of the page.
  const { fetch: send } = globalThis;
  vi.stubGlobal("fetch", (input: RequestInfo, init: RequestInit = {}) =>
    send(input, {
      ...init,
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        origin: "https://page.example",
        cookie: "login=ann",
      },
    }),
  );
  const { ask: askFromPage } = await import("../../examples/mounts/src/browser-page.ts");
  expect(await askFromPage(origin, "Hi")).toBe("Hello");
  vi.unstubAllGlobals();
  await gateway.drain();
  server.close().closeAllConnections();
});

it("the gateway of the guides rejects requests with the documented error until the terms are accepted", async () => {
  const { balances, gateway, keys } = await import("../../examples/shop/src/gateway.ts");
  const { secret } = await keys.create({ account: "customer-17", plan: "prepaid" });
  await balances.credit({ id: "terms", account: "customer-17", amount: 5_000_000_000n, reason: "test" });
  const refused = await gateway.fetch(ask(secret));
  expect(refused.status).toBe(428);
  const [, shown = ""] = /```json\n(.*?)```/s.exec(readFileSync("docs/guides/terms.md", "utf8")) ?? [];
  expect(await refused.json()).toEqual(JSON.parse(shown));
  await gateway.terms.accept("customer-17", "terms-2026-01");
  expect((await gateway.fetch(ask(secret))).status).toBe(200);
});

it("the plans of the guide on limits are valid, and its key has its own limit", async () => {
  const { createTrialKey, plans } = await import("../../examples/mounts/src/limits.ts");
  const { options } = await import("../../examples/shop/src/gateway.ts");
  await options.balances.credit({ id: "limits", account: "customer-18", amount: 1n, reason: "test" });
  const issued = await createTrialKey("customer-18");
  const gateway = createGateway({ ...options, plans });
  const answer = await gateway.fetch(
    new Request("http://host.test/router/v1/models", { headers: { authorization: `Bearer ${issued.secret}` } }),
  );
  expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toEqual([200, "10"]);
});

it("the trial and the allowance of the guide on money are used before what was paid, and a charge returns to them", async () => {
  const { plans, refundLastCharge, startTrial } = await import("../../examples/mounts/src/granted-money.ts");
  const { options } = await import("../../examples/shop/src/gateway.ts");
  const [keys, balances] = [memoryKeyStore(), memoryBalanceStore()];
  const gateway = createGateway({ ...options, keys, balances, plans });
  const account = "customer-19";
  balances.credit({ id: "paid", account, amount: "5.00", reason: "top-up" });
  await startTrial(balances, account, new Date(Date.now() + 86_400_000 * 90));
  const { secret } = await keys.create({ account, plan: "starter" });
  expect((await gateway.fetch(ask(secret))).status).toBe(200);
  const total = balances.balance(account).totals;
  expect(total.credited).toBe(11_000_000_000n);
  const [charge] = balances.entries({ account, kind: "charge", limit: 1 }).entries;
  expect(charge?.lots?.map(({ lot }) => lot.split(":")[0])).toEqual(["allowance"]);
  for (let times = 0; times < 2; times++) await refundLastCharge(balances, account);
  expect(balances.balance(account)).toMatchObject({ posted: 11_000_000_000n, totals: { used: 0n } });
});

it("the welcome credit of the guide on customers is granted once for a user, whichever account asks", async () => {
  const { welcome } = await import("../../examples/mounts/src/welcome-credit.ts");
  const balances = memoryBalanceStore();
  const user = { id: "user-7", signedUpAt: new Date(Date.now() - 86_400_000) };
  const accounts = ["customer-20", "customer-20", "customer-21"];
  const granted = await Promise.all(accounts.map((account) => welcome(balances, user, account)));
  expect(granted).toEqual([true, false, false]);
  const expiresAt = new Date(user.signedUpAt.getTime() + 30 * 86_400_000);
  expect(balances.balance("customer-20")).toMatchObject({ expiring: [{ amount: 5_000_000_000n, expiresAt }] });
  expect(balances.balance("customer-21").posted).toBe(0n);
  expect(await welcome(balances, { ...user, id: "user-8" }, "customer-21")).toBe(true);
});

it("the observer of the guide on operations writes a line for each event", async () => {
  const written: string[] = [];
  const consoleLog = vi.spyOn(console, "log").mockImplementation((line: string) => void written.push(line));
  const { gateway, secret } = await gatewayOf({ provider: shoutingProvider(), model: "m" }, { observer: logEvent });
  await (await gateway.fetch(ask(secret, "m"))).text();
  await gateway.drain();
  consoleLog.mockRestore();
  const events = written.map((line) => JSON.parse(line));
  expect(events).toContainEqual(expect.objectContaining({ type: "request.completed", cost: "0" }));
});

it("the shutdown of the guide on operations lets a request finish and closes the server", async () => {
  const received = new Promise<ServerResponse>((resolve) => {
    answerLater = resolve;
  });
  const provider = openaiCompatible({ baseURL: upstream.baseURL });
  const { gateway, secret } = await gatewayOf({ provider, model: "m" });
  const server = createServer(nodeHandler(gateway, { prefix: "/router/v1" }));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/router/v1/chat/completions`;
  const { method, headers } = ask(secret, "m");
  const body = await ask(secret, "m").text();
  const running = fetch(url, { method, headers, body });
  const response = await received;
  const closed = shutDown(gateway, server);
  expect((await fetch(url, { method, headers, body })).status).toBe(503);
  response.end(JSON.stringify(completion));
  expect((await running).status).toBe(200);
  await closed;
  expect(server.listening).toBe(false);
  answerLater = undefined;
});

it("the mount of the guide passes endpoints to the gateway and other paths to the host", async () => {
  const { gateway, secret } = await gatewayOf({ provider: shoutingProvider(), model: "m" });
  const serve = withGateway(gateway, "/router/v1", async () => new Response("the host's"));
  expect(await (await serve(ask(secret, "m"))).json()).toMatchObject({ choices: [{ message: { content: "HI" } }] });
  expect(await (await serve(new Request("http://host.test/router/v1/other"))).text()).toBe("the host's");
  expect(await (await serve(new Request("http://host.test/router/v10/models"))).text()).toBe("the host's");
});

it("the config file of the command line works", async () => {
  const env = { PATH: process.env["PATH"], DATABASE_FILE: join(folder, "cli.db") };
  const run = async (...line: readonly string[]) => {
    const program = ["packages/cli/bin/tollgate.mjs", "--config", "examples/shop/tollgate.config.mjs", "--json"];
    const { stdout } = await promisify(execFile)(process.execPath, [...program, ...line], { env });
    return JSON.parse(stdout);
  };
  expect(await run("keys", "create", "--account", "acme", "--plan", "prepaid")).toMatchObject({
    key: { account: "acme" },
    secret: expect.stringMatching(/^acme_/),
  });
  await run("balance", "credit", "acme", "12.50", "--id", "invoice-17");
  expect(await run("balance", "show", "acme")).toMatchObject({ available: "12.5" });
}, 60_000);

it("the charges of the guide cost what was done, and a report is charged once", async () => {
  const { sellImage, transcribe } = await import("../../examples/mounts/src/sold-work.ts");
  const { sellReport } = await import("../../examples/mounts/src/charge-route.ts");
  const { balances } = await import("../../examples/shop/src/gateway.ts");
  const account = "customer-20";
  await newCustomer(account);
  const left = async () => formatAmount((await balances.balance(account)).available);
  const image = Uint8Array.of(1);
  expect(await sellImage(account, async () => image)).toBe(image);
  await expect(sellImage(account, () => Promise.reject(new Error("no image")))).rejects.toThrow("no image");
  expect(await left()).toBe("4.96");
  const stopped = transcribe({ account, minutes: 10 }, async (minute) => {
    if (minute === 4) throw new Error("no sound");
  });
  await expect(stopped).rejects.toThrow("no sound");
  expect(await left()).toBe("4.942");
  const app = express()
    .set("env", "test")
    .get(
      "/reports/:id",
      sellReport(() => account),
    );
  const { port, close } = await listen(createServer(app));
  const statusOf = async (id: number) => (await fetch(`http://127.0.0.1:${port}/reports/${id}`)).status;
  expect([await statusOf(1), await statusOf(1), await statusOf(2)]).toEqual([200, 200, 402]);
  expect(await left()).toBe("2.442");
  await close();
});

it("the management API of the guide creates a key that the gateway knows", async () => {
  const { api } = await import("../../examples/shop/src/management.ts");
  const headers = { authorization: "Bearer admin-token", "content-type": "application/json" };
  const body = JSON.stringify({ account: "acme", plan: "prepaid" });
  const created = await api.fetch(new Request("http://host.test/keys", { method: "POST", headers, body }));
  expect(created.status).toBe(201);
  const listed = await api.fetch(new Request("http://host.test/audit", { headers }));
  expect(await listed.json()).toMatchObject({ data: [{ actor: "deploy-script", action: "key.created" }, {}] });
});

it("the login of the guide knows operators by their cookies, and sends everybody else to the login page", async () => {
  const users = new Map([["session=1", { email: "ann@host.test", isAdmin: true }]]);
  const login = operatorLogin(async (cookie) => users.get(cookie));
  const request = (cookie: string) => new Request("http://host.test/me", { headers: { cookie } });
  expect(await login(request("session=1"))).toEqual({ actor: "ann@host.test", role: "admin" });
  expect(await login(request("session=2"))).toMatchObject({ status: 303 });
});

it("the health endpoints of the guide answer while the database does", async () => {
  const { health } = await import("../../examples/shop/src/health.ts");
  expect((await health.fetch(new Request("http://host.test/readyz"))).status).toBe(200);
});

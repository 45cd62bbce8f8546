import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseAmount } from "@tollgate/core";
import express from "express";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { blocksOf, readPage } from "../docs/markdown.ts";
import { freePort } from "../support/free-port.ts";
import { type MockUpstream, startMockUpstream } from "../upstream/mock-upstream.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-shop-"));
const password = "correct horse battery";
const account = "customer-17";
/** The bodies that /notices received. */
const notices: unknown[] = [];
const printed: string[] = [];
let upstream: MockUpstream;
let server: Server;
let url: string;
let key: string;

beforeAll(async () => {
  upstream = await startMockUpstream();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  vi.stubEnv("PORT", String(port))
    .stubEnv("DATABASE_FILE", join(folder, "acme.db"))
    .stubEnv("OPENAI_BASE_URL", upstream.url)
    .stubEnv("NOTICES_SECRET", `whsec_${btoa("a secret of the test")}`)
    .stubEnv("STRIPE_API_KEY", "sk_test_1")
    .stubEnv("STRIPE_WEBHOOK_SECRET", "whsec_Zk3vB8qLw1TnR5yXc7MdH2sJf9GpAe4U")
    .stubEnv("DASHBOARD_PASSWORD", password);
  vi.spyOn(console, "log").mockImplementation((line: string) => void printed.push(line));
  const { app } = await import("../../examples/shop/src/app.ts");
  const text = express.text({ type: "application/json" });
  const tapped = express()
    .set("env", "test")
    .use("/notices", text, ({ body }, _, next) => {
      notices.push(JSON.parse(String(body)));
      next();
    })
    .use(app);
  server = createServer(tapped).listen(port, "127.0.0.1");
  await once(server, "listening");
  key = await runNewCustomer();
});

afterAll(async () => {
  const { shutDown } = await import("../../examples/shop/src/shut-down.ts");
  const { gateway } = await import("../../examples/shop/src/gateway.ts");
  await shutDown(gateway, server);
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await upstream.close();
  rmSync(folder, { recursive: true });
});

/** Runs the script, which takes the account from the command line, and returns the key that it prints. */
async function runNewCustomer(run = 1): Promise<string> {
  process.argv[2] = account;
  // Another query makes another module.
  const script = `${resolve("examples/shop/src/new-customer.ts")}?run=${run}`;
  await import(script);
  return /: (acme_\S+)$/m.exec(printed.join("\n"))?.[1] ?? "";
}

const statusOf = async (path: string, init: RequestInit = {}) => (await fetch(url + path, init)).status;
const json = { "content-type": "application/json" };

function chat(): Promise<Response> {
  const body = JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] });
  const headers = { ...json, authorization: `Bearer ${key}` };
  return fetch(`${url}/router/v1/chat/completions`, { method: "POST", headers, body });
}

describe("the shop that the guides build", () => {
  it("serves a customer who has signed up", async () => {
    const answer = await chat();
    expect([answer.status, await answer.json()]).toMatchObject([200, { model: "acme-small" }]);
  });

  it("creates the first key of a customer once", async () => {
    await expect(runNewCustomer(2)).rejects.toThrow("customer-17 has a key already. Rotate it");
  });

  it("serves the dashboard to operators, and its health to everybody", async () => {
    const authorization = `Basic ${btoa(`admin:${password}`)}`;
    expect(await statusOf("/tollgate/")).toBe(401);
    expect(await statusOf("/tollgate/api/usage?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z")).toBe(401);
    expect(await statusOf("/tollgate/", { headers: { authorization } })).toBe(200);
    expect(await statusOf("/readyz")).toBe(200);
  });

  it("shows the terms, and sends a person to the login before they accept them", async () => {
    expect(await (await fetch(`${url}/terms`)).text()).toContain("Terms of January 2026");
    const accept = {
      method: "POST",
      redirect: "manual" as const,
      body: new URLSearchParams({ version: "terms-2026-01" }),
    };
    expect(await statusOf("/terms", accept)).toBe(303);
  });

  it("refuses events and notices without a signature", async () => {
    const unsigned = { method: "POST", headers: json, body: "{}" };
    expect(await statusOf("/payments/webhook", unsigned)).toBe(400);
    expect(await statusOf("/notices", unsigned)).toBe(401);
    notices.length = 0;
  });

  it("mails a customer who wants it about a low balance, by a notice as the recipe shows it", async () => {
    const { balances } = await import("../../examples/shop/src/gateway.ts");
    const { mailAddress, noticeSettings } = await import("../../examples/shop/src/notice-settings.ts");
    expect(await mailAddress(account, "balance.low")).toBeUndefined();
    noticeSettings.save(account, { email: "ann@acme.test", types: ["balance.low"], thresholds: [] });
    expect(await mailAddress(account, "balance.credited")).toBeUndefined();
    await balances.debit({ id: "refund-1", account, amount: parseAmount("4.50"), reason: "refund" });
    expect((await chat()).status).toBe(200);
    await vi.waitUntil(() => printed.some((line) => line.startsWith("Mail ")), { timeout: 15_000 });
    expect(printed.filter((line) => line.startsWith("Mail "))).toEqual([
      expect.stringMatching(/^Mail \S+ to ann@acme\.test: 0\.4\d+ are left\. Top up at \/billing\.$/),
    ]);
    const page = "docs/recipes/low-balance-mail.md";
    const shown = blocksOf({ path: page, text: readPage(page) }).find(({ language }) => language === "json");
    expect(notices.map(shapeOf)).toEqual([shapeOf(JSON.parse(shown?.code ?? ""))]);
  });
});

/** Replaces the values of a notice that differ from one to the next. */
function shapeOf(notice: unknown): unknown {
  return JSON.parse(JSON.stringify(notice), (name, value) =>
    name === "timestamp" || name === "posted" ? typeof value : value,
  );
}

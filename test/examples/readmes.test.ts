import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { json } from "../support/webhook-target.ts";

// The programs of the packages' READMEs, as they were built. Run `node scripts/build.mjs` first.
const folder = mkdtempSync(join(tmpdir(), "tollgate-readmes-"));
const upstream = createServer(async (req, res) => {
  const { model } = JSON.parse(await text(req));
  const choices = [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }];
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  json(res, 200, { id: "x", object: "chat.completion", created: 1, model, choices, usage });
});
beforeAll(async () => void (await once(upstream.listen(0, "127.0.0.1"), "listening")));
afterAll(() => {
  upstream.close().closeAllConnections();
  rmSync(folder, { recursive: true });
});

const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  OPENAI_BASE_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
  OPENAI_API_KEY: "sk-upstream",
  ANTHROPIC_API_KEY: "sk-ant-upstream",
  GEMINI_API_KEY: "upstream",
  DASHBOARD_PASSWORD: "correct horse",
  ADMIN_TOKEN: "an-admin-token-of-tests",
  DATABASE_FILE: join(folder, "acme.db"),
  DATABASE_URL: inject("postgres"),
  REDIS_URL: inject("redis"),
});
const programOf = (name: string): string => `examples/packages/dist/${name}.js`;

/** Starts a program and returns its origin, what it prints first after `label`, and a function that stops it. */
async function start(name: string, label: string) {
  const port = await freePort();
  const env = { ...environment(), PORT: String(port) };
  const program = spawn(process.execPath, [programOf(name)], { env, stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface(program.stdout)) {
    const [, printed] = line.split(`${label}: `);
    if (printed !== undefined)
      return { origin: `http://127.0.0.1:${port}`, printed, [Symbol.dispose]: () => void program.kill("SIGKILL") };
  }
  throw new Error(`The program of packages/${name}/README.md ended before it listened.`);
}

const answering = ["express", "fastify", "hono", "node", "sqlite", "redis", "ai-sdk"];
const others = ["anthropic", "google", "dashboard", "management"];
const withDatabase = inject("postgres") === undefined ? [] : ["postgres"];
const servers = [...answering, ...others, ...withDatabase];

describe("the program of the README of", () => {
  it.each(answering)("%s answers", answersChat);
  it.skipIf(inject("postgres") === undefined)("postgres answers", () => answersChat("postgres"));

  it.each(["anthropic", "google"])("%s lists its model", async (name) => {
    using app = await start(name, "API key");
    const headers = { authorization: `Bearer ${app.printed}` };
    const models = await fetch(`${app.origin}/router/v1/models`, { headers });
    expect(await models.json()).toMatchObject({ data: [{ id: "acme-small" }] });
  });

  it("dashboard serves the page to its operator", async () => {
    using app = await start("dashboard", "Dashboard");
    const headers = { authorization: `Basic ${btoa("admin:correct horse")}` };
    expect((await fetch(app.printed)).status).toBe(401);
    expect(await (await fetch(app.printed, { headers })).text()).toContain("<!doctype html>");
  });

  it.each(servers)("%s says what to do if its port is in use", async (name) => {
    const { port } = upstream.address() as AddressInfo;
    const run = promisify(execFile)(process.execPath, [programOf(name)], {
      env: { ...environment(), PORT: String(port) },
    });
    await expect(run).rejects.toThrow(`Port ${port} cannot be used. Free it, or set another one as PORT.`);
  });

  it("management shows a key of its host to its operator, and nothing to others", async () => {
    using app = await start("management", "Management API");
    const headers = { authorization: "Bearer an-admin-token-of-tests", "content-type": "application/json" };
    const body = JSON.stringify({ account: "acme", plan: "prepaid" });
    expect((await fetch(`${app.printed}/keys`, { method: "POST", headers, body })).status).toBe(201);
    expect(await (await fetch(`${app.printed}/keys`, { headers })).json()).toMatchObject({
      data: [{ account: "acme" }],
    });
    expect((await fetch(`${app.printed}/keys`)).status).toBe(401);
  });

  it("core prints a completion", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [programOf("core")], { env: environment() });
    expect(stdout).toContain('"content":"Hello"');
  });

  it("contract passes", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--test", programOf("contract")]);
    expect(stdout).toMatch(/^# pass [1-9]/m);
  });
});

it("every program is run here", () => {
  const names = readdirSync("examples/packages/src").map((file) => file.replace(".ts", ""));
  expect(names.sort()).toEqual([...answering, ...others, "postgres", "core", "contract"].sort());
});

async function answersChat(name: string): Promise<void> {
  using app = await start(name, "API key");
  const answer = await fetch(`${app.origin}/router/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.printed}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] }),
  });
  expect(await answer.json()).toMatchObject({ model: "acme-small", choices: [{ message: { content: "Hello" } }] });
}

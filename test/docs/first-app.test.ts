import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterAll, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";

const started: ChildProcess[] = [];
afterAll(() => {
  for (const app of started) app.kill("SIGKILL");
});

it.each([
  ["TypeScript", "examples/first-app/dist/app.js"],
  ["JavaScript", "examples/first-app/app.mjs"],
])("the app of the README in %s answers offline, streams, and charges", async (_language, file) => {
  const { url, key } = await start(file);
  const ask = async (more: object, secret = key) => {
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const body = JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }], ...more });
    return fetch(`${url}/chat/completions`, { method: "POST", headers, body });
  };
  const answer = await ask({});
  expect(await answer.json()).toMatchObject({
    model: "acme-small",
    choices: [{ message: { role: "assistant", content: "Hello from Tollgate." }, finish_reason: "stop" }],
    usage: { total_tokens: 8 },
  });
  expect(await (await ask({ stream: true })).text()).toMatch(/Hello from Tollgate\..*data: \[DONE\]\n\n$/s);
  expect((await ask({}, "tg_wrong")).status).toBe(401);
  // Of 5.00 at most 4,096 tokens for each of 16 choices can be held.
  expect((await ask({ n: 16, max_tokens: 4_096 })).status).toBe(200);
});

async function start(file: string): Promise<{ readonly url: string; readonly key: string }> {
  if (!existsSync(file)) throw new Error(`${file} is not built. Run \`node scripts/build.mjs\` first.`);
  const port = await freePort();
  const env = { PATH: process.env["PATH"], PORT: String(port) };
  const app = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  started.push(app);
  for await (const line of createInterface(app.stdout)) {
    const key = /^API key: (\S+)$/.exec(line)?.[1];
    if (key !== undefined) return { url: `http://127.0.0.1:${port}/router/v1`, key };
  }
  throw new Error(`${file} ended before it listened.`);
}

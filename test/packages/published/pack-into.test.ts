import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { blocksOf, readPage } from "../../docs/markdown.ts";
import { freePort } from "../../support/free-port.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-pack-into-"));
const app = join(folder, "my-app");
const script = resolve("scripts/pack-into.mjs");
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the script with what the last build wrote, from the folder beside the app. */
const packInto = (...parameters: readonly string[]) =>
  promisify(execFile)(process.execPath, [script, "--no-build", ...parameters], {
    cwd: folder,
  });

it("installs packages into an empty folder, in which the app of the README runs, and updates them", async () => {
  await packInto("my-app", "express");
  const blocks = blocksOf({ path: "README.md", text: readPage("README.md") });
  writeFileSync(join(app, "app.mjs"), blocks.find(({ language }) => language === "js")?.code ?? "");
  const env = { PATH: process.env["PATH"], PORT: String(await freePort()) };
  const server = spawn(process.execPath, ["app.mjs"], { cwd: app, env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    expect(await completionOf(server.stdout, env.PORT)).toMatchObject({
      choices: [{ message: { content: "Hello from Tollgate." } }],
    });
    const second = spawn(process.execPath, ["app.mjs"], { cwd: app, env, stdio: ["ignore", "inherit", "pipe"] });
    expect(await text(second.stderr)).toContain("Free the port, or choose another: PORT=8788 node app.mjs");
  } finally {
    server.kill("SIGKILL");
    await once(server, "exit");
  }
  writeFileSync(join(app, "vendor/tollgate-core-0.0.0-00000000.tgz"), "older");
  await packInto("my-app", "@tollgate/sqlite");
  const { type, dependencies } = JSON.parse(readFileSync(join(app, "package.json"), "utf8"));
  expect([type, Object.keys(dependencies).sort()]).toEqual([
    "module",
    ["@photostructure/sqlite", ...["core", "express", "node", "sqlite"].map((name) => `@tollgate/${name}`), "express"],
  ]);
  const vendored = Object.values(dependencies).flatMap((spec) => String(spec).match(/^file:vendor\/(.*)$/)?.[1] ?? []);
  expect(readdirSync(join(app, "vendor")).sort()).toEqual(vendored.sort());
});

async function completionOf(output: NodeJS.ReadableStream, port: string): Promise<unknown> {
  for await (const line of createInterface(output)) {
    const key = /^API key: (\S+)$/.exec(line)?.[1];
    if (key === undefined) continue;
    const answer = await fetch(`http://127.0.0.1:${port}/router/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "acme-small", messages: [{ role: "user", content: "Hi" }] }),
    });
    return answer.json();
  }
  throw new Error("The app ended before it listened.");
}

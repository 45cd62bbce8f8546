// Installs the newest clients, and the provider packages of AI SDK 6, into `.runtimes`, and runs the suites of clients over
// them with Node 22, which the newest ones need.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const sdkProviders = ["openai", "anthropic", "amazon-bedrock", "google-vertex"].map((name) => `@ai-sdk/${name}`);
const newest = install("newest-clients", [
  ...["ai", "openai", "@anthropic-ai/sdk", "@ai-sdk/openai-compatible", "zod", ...sdkProviders].map(
    (name) => `${name}@latest`,
  ),
  `node@npm:node-${process.platform}-${process.arch}@22`,
]);
const [openai, anthropic, bedrock, vertex] = sdkProviders;
const sdk6 = install("ai-sdk-6-clients", [`${openai}@3`, `${anthropic}@3`, `${bedrock}@4`, `${vertex}@4`]);

const { status } = spawnSync(
  join(newest, "node_modules/.bin/node"),
  ["node_modules/vitest/vitest.mjs", "run", "--project", "newest"],
  { stdio: "inherit", env: { ...process.env, NEWEST_CLIENTS: newest, AI_SDK_6_CLIENTS: sdk6 } },
);
process.exit(status ?? 1);

/** Installs packages into an empty folder, prints their versions, and returns the folder. */
function install(name, packages) {
  const folder = resolve(".runtimes", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"];
  execFileSync("npm", ["install", ...quiet, ...packages], { cwd: folder, stdio: "inherit" });
  const installed = Object.keys(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).dependencies);
  const versions = installed.map((each) => {
    const manifest = JSON.parse(readFileSync(join(folder, "node_modules", each, "package.json"), "utf8"));
    return `${each} ${manifest.version}`;
  });
  console.log(`${name}: ${versions.join(", ")}`);
  return folder;
}

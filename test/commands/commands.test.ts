import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";

/** Runs the check of the Node version as another version would. */
function checkNode(version: string): readonly string[] {
  const printed: string[] = [];
  runInNewContext(readFileSync("scripts/require-node.cjs", "utf8"), {
    require: () => ({ engines: { node: ">=20.19" } }),
    process: { versions: { node: version }, exit: (code: number) => printed.push(`exit ${code}`) },
    console: { error: (line: string) => printed.push(line) },
  });
  return printed;
}

it("a Node that is too old gets one line", () => {
  expect(checkNode("18.20.8")).toEqual([
    "Tollgate needs Node 20.19 or newer; this is Node 18.20.8. Install it from https://nodejs.org",
    "exit 1",
  ]);
  expect(checkNode("20.9.0")).toHaveLength(2);
  expect(["20.19.0", "20.20.2", "22.0.0", "100.1.0"].flatMap(checkNode)).toEqual([]);
});

it.each([
  [[], "Name the folder of your app: node scripts/pack-into.mjs ../my-app express sqlite"],
  [["app", "expres"], 'There is no package "expres". Name some of ai-sdk, anthropic,'],
  [
    [`${process.cwd()}/my-app`, "express"],
    "my-app is in the clone. Name a folder outside: node scripts/pack-into.mjs ../my-app",
  ],
  [["app"], "uses no package of Tollgate yet. Name some: node scripts/pack-into.mjs app express"],
])("pack-into with %j says what to name, and builds nothing", (parameters, message) => {
  const { folder, ...ended } = runScript("pack-into.mjs", parameters);
  expect(ended).toEqual({ status: 1, stdout: "", stderr: expect.stringContaining(message) });
  expect(readdirSync(folder)).toEqual([]);
});

it("create says which folder to name, and builds nothing", () => {
  const { folder: _, ...ended } = runScript("create.mjs", ["--yes"]);
  expect(ended).toEqual({
    status: 1,
    stdout: "",
    stderr: "Name the folder of your app: node scripts/create.mjs ../my-app\n",
  });
});

it("test:all without a suite prints them, and names the nearest to a misspelt one", () => {
  const { status, stdout } = runScript("test-all.mjs", []);
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^browser .*Chromium/m)]);
  const misspelt = runScript("test-all.mjs", ["browser", "falts"]);
  expect([misspelt.status, misspelt.stderr]).toEqual([
    1,
    'There is no suite "falts". Did you mean "faults"? npm run test:all lists them.\n',
  ]);
});

/** Runs a script in an empty folder. */
function runScript(name: string, parameters: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-commands-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const options = { cwd: folder, env: { PATH: process.env["PATH"] }, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve("scripts", name), ...parameters], options);
  return { folder, status, stdout, stderr };
}

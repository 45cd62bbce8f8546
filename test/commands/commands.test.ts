import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  [[], "Name the folder of your app: npm run pack-into -- ../my-app express sqlite"],
  [["app", "expres"], 'There is no package "expres". Name some of ai-sdk, anthropic,'],
  [
    [`${process.cwd()}/my-app`, "express"],
    "my-app is in the clone. Name a folder outside: npm run pack-into -- ../my-app",
  ],
  [["app"], "uses no package of Tollgate yet. Name some: npm run pack-into -- app express"],
])("pack-into with %j says what to name, and builds nothing", (parameters, message) => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-commands-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = { PATH: process.env["PATH"], INIT_CWD: folder };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/pack-into.mjs", ...parameters], {
    env,
    encoding: "utf8",
  });
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining(message)]);
  expect(readdirSync(folder)).toEqual([]);
});

it("create says which folder to name, and builds nothing", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/create.mjs", "--yes"], { encoding: "utf8" });
  expect([status, stdout, stderr]).toEqual([1, "", "Name the folder of your app: npm run create -- ../my-app\n"]);
});

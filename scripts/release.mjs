// Usage: node scripts/release.mjs <check | version | publish>
// `check` builds and checks what would be published, `version` writes the next versions and changelogs, and `publish`
// checks and publishes.
import "./require-node.cjs";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildCode, checkTypes } from "./workspace/build-steps.mjs";
import { checkPackages, checkRules } from "./workspace/checks.mjs";
import { installDependencies, packageManager } from "./workspace/install-dependencies.mjs";
import { root, run } from "./workspace/run-command.mjs";

/** @type {Readonly<Record<string, () => void>>} */
const commands = { check, version, publish };
const command = commands[process.argv[2] ?? ""];
if (command === undefined) {
  console.error(`Name what to do: node scripts/release.mjs ${Object.keys(commands).join("|")}`);
  process.exit(1);
}
installDependencies();
command();

function check() {
  for (const name of readdirSync(join(root, "packages")))
    rmSync(join(root, "packages", name, "dist"), { recursive: true, force: true });
  buildCode();
  checkTypes();
  checkRules();
  checkPackages();
  run(process.execPath, ["test/packages/measure-core.mjs"]);
}

function version() {
  run("changeset", ["version"]);
  run(process.execPath, ["packages/management/write-version.mjs"]);
}

function publish() {
  check();
  run("npx", ["--yes", packageManager, "exec", "changeset", "publish"]);
}

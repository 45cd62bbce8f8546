// Writes an app with create-tollgate of this clone, and installs the packages of this clone into it.
// Usage: npm run create -- <folder> [flags]; `npm run create -- ../my-app --help` lists the flags.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const parameters = process.argv.slice(2);
const folder = parameters.find((each) => !each.startsWith("-"));
const cwd = process.env["INIT_CWD"] ?? process.cwd();

if (folder === undefined) {
  console.error("Name the folder of the new app: npm run create -- ../my-app");
  process.exit(1);
}
console.log("Building create-tollgate, which takes about half a minute.");
run("npm", ["run", "--silent", "build:js"], join(import.meta.dirname, ".."));
run(
  process.execPath,
  [join(import.meta.dirname, "../packages/create-tollgate/bin/create-tollgate.mjs"), ...parameters],
  cwd,
);
if (!parameters.some((each) => ["--help", "-h", "--version", "-v"].includes(each))) {
  run(process.execPath, [join(import.meta.dirname, "pack-into.mjs"), folder], cwd);
}

/**
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {string} cwd
 */
function run(command, parameters, cwd) {
  const { status } = spawnSync(command, parameters, { cwd, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

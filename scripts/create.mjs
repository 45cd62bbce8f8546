// Writes an app with create-tollgate of this clone, and installs the packages of this clone into it.
// Usage: npm run create -- <folder> [flags]; `npm run create -- ../my-app --help` lists the flags.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { appFolder } from "./workspace-packages.mjs";

const parameters = process.argv.slice(2);
const clone = join(import.meta.dirname, "..");

try {
  const folder = parameters.find((each) => !each.startsWith("-"));
  const app = appFolder(folder, "npm run create -- ../my-app");
  console.log("Building create-tollgate, which takes about half a minute.");
  run("npm", ["run", "--silent", "build:js"], clone);
  const program = join(clone, "packages/create-tollgate/bin/create-tollgate.mjs");
  run(process.execPath, [program, ...parameters], process.env["INIT_CWD"] ?? clone);
  const isQuestion = parameters.some((each) => ["--help", "-h", "--version", "-v"].includes(each));
  if (!isQuestion) {
    run(process.execPath, [join(import.meta.dirname, "pack-into.mjs"), app], clone);
    console.log("npm install is done. Go on with the other steps above.");
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * Runs a program at this terminal. Ends with its exit code if it fails, since it has said why.
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {string} cwd
 */
function run(command, parameters, cwd) {
  const { status } = spawnSync(command, parameters, { cwd, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

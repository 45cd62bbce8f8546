// Writes an app with create-tollgate of this clone, and installs the packages of this clone into it.
// Usage: node scripts/create.mjs <folder> [flags]; `node scripts/create.mjs ../my-app --help` lists the flags.
import "./require-node.cjs";
import { join } from "node:path";
import { buildCode } from "./workspace/build-steps.mjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";
import { root, run } from "./workspace/run-command.mjs";
import { appFolder } from "./workspace/workspace-packages.mjs";

const parameters = process.argv.slice(2);
const cwd = process.cwd();

try {
  const folder = parameters.find((each) => !each.startsWith("-"));
  const app = appFolder(folder, "node scripts/create.mjs ../my-app");
  installDependencies();
  buildCode();
  run(process.execPath, [join(root, "packages/create-tollgate/bin/create-tollgate.mjs"), ...parameters], { cwd });
  const isQuestion = parameters.some((each) => ["--help", "-h", "--version", "-v"].includes(each));
  if (!isQuestion) {
    run(process.execPath, [join(root, "scripts/pack-into.mjs"), app]);
    console.log("npm install is done. Go on with the other steps above.");
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

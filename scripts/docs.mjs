// Builds the site of the documentation. With `--serve`, it serves the site and reloads pages that change.
import "./require-node.cjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";
import { run } from "./workspace/run-command.mjs";

installDependencies();
run("npm", ["run", "--silent", "--prefix", "docs", process.argv.includes("--serve") ? "dev" : "build"]);

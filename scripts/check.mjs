// Runs the linters and the other checks of text. With `--fix`, it formats the files first and applies the safe fixes.
import "./require-node.cjs";
import { checkRules } from "./workspace/checks.mjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";
import { run } from "./workspace/run-command.mjs";

installDependencies();
if (process.argv.includes("--fix")) run("biome", ["check", "--write", "."]);
checkRules();

// Builds, checks types and rules, and runs the tests. Parameters go to Vitest: `npm test -- test/router` runs one folder.
import { buildCode, checkTypes } from "./workspace/build-steps.mjs";
import { checkPackages, checkRules } from "./workspace/checks.mjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";
import { runTests } from "./workspace/run-command.mjs";

installDependencies();
buildCode();
checkTypes();
checkRules();
checkPackages();
runTests(["unit", "isolated", "examples", "integration"], process.argv.slice(2));

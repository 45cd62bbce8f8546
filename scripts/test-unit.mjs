// Runs the unit tests, which need no build and no services. Parameters go to Vitest.
import { generateSources } from "./workspace/build-steps.mjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";
import { runTests } from "./workspace/run-command.mjs";

installDependencies();
generateSources();
runTests(["unit", "isolated"], process.argv.slice(2));

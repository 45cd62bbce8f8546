// Bundles the exact-money suite with the drivers of test/exact-money, and runs it. It needs no build.

import { generateSources } from "./workspace/build-steps.mjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";
import { run } from "./workspace/run-command.mjs";

installDependencies();
generateSources();
run("tsup", ["--silent", "--config", "test/exact-money/tsup.config.ts"], { isProgress: true });
run(process.execPath, ["test/exact-money/dist/main.js", ...process.argv.slice(2)]);

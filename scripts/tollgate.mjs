// Runs the command line on the data of the quickstart.
import { buildCode } from "./workspace/build-steps.mjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";
import { run } from "./workspace/run-command.mjs";

installDependencies();
buildCode();
const config = ["--config", "examples/quickstart/dist/tollgate.config.js"];
run(process.execPath, ["packages/cli/bin/tollgate.mjs", ...config, ...process.argv.slice(2)]);

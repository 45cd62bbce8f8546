// Builds the bench and runs it. test/bench/README.md lists its flags.
import { buildCode } from "./workspace/build-steps.mjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";
import { run } from "./workspace/run-command.mjs";

installDependencies();
buildCode();
run("tsup", ["--silent", "--config", "test/bench/tsup.config.ts"], { isProgress: true });
run(process.execPath, ["test/bench/dist/main.js", ...process.argv.slice(2)]);

// Builds the packages and the examples. With `--types`, it also writes declarations and checks all types.
import "./require-node.cjs";
import { buildCode, checkTypes } from "./workspace/build-steps.mjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";

installDependencies();
buildCode();
if (process.argv.includes("--types")) checkTypes();

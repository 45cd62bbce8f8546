// Builds and checks the packages as they would be published. With `--update`, it renews the snapshots of what they export.
import "./require-node.cjs";
import { buildCode, buildDeclarations } from "./workspace/build-steps.mjs";
import { checkPackages } from "./workspace/checks.mjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";

installDependencies();
buildCode();
buildDeclarations();
checkPackages(process.argv.slice(2));

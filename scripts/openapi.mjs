// Writes the OpenAPI documents from the code.
import "./require-node.cjs";
import { buildCode } from "./workspace/build-steps.mjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";
import { run } from "./workspace/run-command.mjs";

installDependencies();
buildCode();
run(process.execPath, ["packages/core/schema/dist/write-document.js"]);
run(process.execPath, ["packages/assistants/schema/dist/write-document.js"]);
run(process.execPath, ["packages/management/openapi/dist/write-document.js"]);

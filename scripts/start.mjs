// Builds what has changed, and becomes the quickstart.
import { buildCode } from "./workspace/build-steps.mjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";

installDependencies();
buildCode();
console.error("Starting the quickstart.");
await import(new URL("../examples/quickstart/dist/main.js", import.meta.url).href);

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { assistantJsonSchema } from "./assistant-json-schema.ts";

// Paths are relative to the workspace root, where the build runs.
const schema = assistantJsonSchema(readFileSync("packages/core/src/assistants/definition/assistant-config.ts", "utf8"));
mkdirSync("packages/core/dist", { recursive: true });
writeFileSync("packages/core/dist/assistant.schema.json", `${JSON.stringify(schema, undefined, 2)}\n`);

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { assistantJsonSchema } from "./assistant-json-schema.ts";

// Paths are relative to the workspace root, where the build runs.
const schema = assistantJsonSchema(readFileSync("packages/assistants/src/definition/assistant-config.ts", "utf8"));
mkdirSync("packages/assistants/dist", { recursive: true });
writeFileSync("packages/assistants/dist/assistant.schema.json", `${JSON.stringify(schema, undefined, 2)}\n`);

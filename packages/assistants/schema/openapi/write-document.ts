import { writeFileSync } from "node:fs";
import { sessionsDocument } from "./sessions-document.ts";

// The path is relative to the workspace root, where `node scripts/openapi.mjs` runs.
writeFileSync("packages/assistants/src/openapi/sessions.json", `${JSON.stringify(sessionsDocument(), undefined, 2)}\n`);

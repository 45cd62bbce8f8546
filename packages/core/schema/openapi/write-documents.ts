import { writeFileSync } from "node:fs";
import { routerDocument, sessionsDocument } from "./documents.ts";

// Paths are relative to the workspace root, where `node scripts/openapi.mjs` runs.
for (const [name, document] of Object.entries({ router: routerDocument(), sessions: sessionsDocument() })) {
  writeFileSync(`packages/core/src/openapi/${name}.json`, `${JSON.stringify(document, undefined, 2)}\n`);
}

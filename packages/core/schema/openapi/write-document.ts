import { writeFileSync } from "node:fs";
import { routerDocument } from "./documents.ts";

// The path is relative to the workspace root, where `node scripts/openapi.mjs` runs.
writeFileSync("packages/core/src/http/openapi/router.json", `${JSON.stringify(routerDocument(), undefined, 2)}\n`);

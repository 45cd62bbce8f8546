import { writeFileSync } from "node:fs";
import { describeApi } from "../src/openapi/describe-api.ts";
import { describedRoutes } from "../src/route-table.ts";

// The path is relative to the workspace root, where `node scripts/openapi.mjs` runs.
const document = describeApi(describedRoutes);
writeFileSync("packages/management/openapi/management.json", `${JSON.stringify(document, undefined, 2)}\n`);

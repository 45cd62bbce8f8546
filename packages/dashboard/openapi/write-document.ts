import { writeFileSync } from "node:fs";
import { describeApi } from "../src/management/openapi/describe-api.ts";
import { describedRoutes } from "../src/management/route-table.ts";

// The path is relative to the workspace root, where `node scripts/openapi.mjs` runs.
const document = describeApi(describedRoutes);
writeFileSync("packages/dashboard/openapi/management.json", `${JSON.stringify(document, undefined, 2)}\n`);

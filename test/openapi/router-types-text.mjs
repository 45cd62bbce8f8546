import { readFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

/** Returns the types that openapi-typescript generates from the committed document of the router. */
export async function routerTypesText() {
  const document = JSON.parse(readFileSync("packages/core/src/openapi/router.json", "utf8"));
  return `// Generated from packages/core/src/openapi/router.json by npm run openapi.\n${astToString(await openapiTS(document))}`;
}

import { readFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

/** The types of each generated client, by their file, and the committed document from which they are made. */
export const clientTypes = {
  "test/openapi/router-types.ts": "packages/core/src/openapi/router.json",
  "test/openapi/management-types.ts": "packages/management/openapi/management.json",
};

/**
 * Returns the types that openapi-typescript generates from a document.
 * @param {string} path
 */
export async function clientTypesText(path) {
  const document = JSON.parse(readFileSync(path, "utf8"));
  return `// Generated from ${path} by npm run openapi.\n${astToString(await openapiTS(document))}`;
}

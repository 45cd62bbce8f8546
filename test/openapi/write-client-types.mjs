// Writes the types that openapi-typescript generates from the OpenAPI documents, for the clients of the tests.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const documents = {
  "test/openapi/router-types.generated.ts": "packages/core/src/http/openapi/router.json",
  "test/openapi/management-types.generated.ts": "packages/management/openapi/management.json",
};

for (const [file, document] of Object.entries(documents)) {
  const types = await openapiTS(JSON.parse(readFileSync(document, "utf8")));
  writeFileSync(file, `// Generated from ${document}.\n${astToString(types)}`);
}

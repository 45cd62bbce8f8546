import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";

const document = v.object({ openapi: v.literal("3.1.0") });

/** Returns the OpenAPI 3.1 document of the management API. */
export function openApi() {
  return { openapi: "3.1.0", components: { schemas: { Document: toJsonSchema(document) } } };
}

import type { JsonObject } from "@tollgate/core/provider";
import { document } from "../../../core/schema/openapi/documents.ts";
import { accountCodes } from "../../../core/schema/openapi/responses.ts";
import { sessionPaths } from "./session-paths.ts";
import { sessionSchemas } from "./session-schemas.ts";

/** The OpenAPI document of the session endpoints. */
export const sessionsDocument = (): JsonObject =>
  document("Tollgate sessions", "/", {
    paths: sessionPaths,
    tags: { Sessions: "Conversations with assistants." },
    schemas: sessionSchemas,
    left: accountCodes,
  });

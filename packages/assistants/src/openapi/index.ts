import type { OpenApiDocument } from "@tollgate/core/openapi";
import sessions from "./sessions.json" with { type: "json" };

/** The OpenAPI document of the session endpoints: the value of the option `openapi` of `assistants`. */
export const sessionsApi: OpenApiDocument = sessions;

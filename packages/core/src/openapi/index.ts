import type { OpenApiDocument } from "../edge/serve-document.ts";
import router from "./router.json" with { type: "json" };
import sessions from "./sessions.json" with { type: "json" };

export type { OpenApiDocument };

/** The OpenAPI document of the router: the value of the option `openapi` of `createGateway`. */
export const routerApi: OpenApiDocument = router;

/** The OpenAPI document of the session endpoints: the value of the option `openapi` of `assistants`. */
export const sessionsApi: OpenApiDocument = sessions;

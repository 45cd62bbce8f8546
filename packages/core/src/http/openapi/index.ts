import type { OpenApiDocument } from "../../ports/mountable.ts";
import router from "./router.json" with { type: "json" };

export type { OpenApiDocument };

/** The OpenAPI document of the router: the value of the option `openapi` of `createGateway`. */
export const routerApi: OpenApiDocument = router;

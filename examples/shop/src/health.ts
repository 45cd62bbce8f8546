import { healthEndpoints } from "@tollgate/core";
import { gateway, keys } from "./gateway.ts";

/** GET /livez and GET /readyz, at the root of the host or at a prefix. */
export const health = healthEndpoints({ gateway, ready: { database: () => keys.list({ limit: 1 }) } });

import type { Mountable } from "@tollgate/core";
import { directResponder } from "./direct/index.ts";
import type { NodeResponder } from "./mounted-request.ts";

/** Joins a gateway to the request and response of node:http. */
export const nodeResponder = (gateway: Mountable): NodeResponder => directResponder(gateway);

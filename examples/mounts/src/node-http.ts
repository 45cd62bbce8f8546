import { createServer } from "node:http";
import { nodeHandler } from "@tollgate/node";
import { gateway } from "./gateway.ts";

export const server = createServer(nodeHandler(gateway, { prefix: "/router/v1" }));

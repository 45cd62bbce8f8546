import { createServer } from "node:http";
import { nodeHandler } from "@tollgate/node";
import { createApp, createRouter, defineEventHandler, fromNodeMiddleware, toNodeListener } from "h3";
import { gateway } from "./gateway.ts";
import { failToListen, port } from "./port.ts";

const app = createApp();
app.use(fromNodeMiddleware(nodeHandler(gateway, { prefix: "/router/v1" })));
app.use(fromNodeMiddleware(nodeHandler(gateway.sessions, { prefix: "/assistants" })));
app.use(
  createRouter().get(
    "/",
    defineEventHandler(() => "The shop"),
  ),
);

createServer(toNodeListener(app)).listen(port).on("error", failToListen);

import { tollgate } from "@tollgate/hono";
import { Hono } from "hono";
import { chatRequest, offlineGateway } from "../shared/offline-gateway.mjs";

/** Created in the first request, since a Worker may do nothing asynchronous before. */
let ready;

async function createApp() {
  const { gateway, secret } = await offlineGateway();
  const app = new Hono();
  app.use("/router/v1/*", tollgate(gateway));
  app.get("/chat", () => app.fetch(chatRequest("https://edge.example/router/v1", secret)));
  return app;
}

export default {
  async fetch(request) {
    ready ??= createApp();
    return (await ready).fetch(request);
  },
};

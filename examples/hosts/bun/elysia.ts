import { Elysia } from "elysia";
import { gateway } from "./gateway.ts";

new Elysia({ serve: { idleTimeout: 255 } })
  .all("/router/v1/*", ({ request }) => gateway.fetch(request), { parse: "none" })
  .all("/assistants/*", ({ request }) => gateway.sessions.fetch(request, { basePath: "/assistants" }), {
    parse: "none",
  })
  .get("/", () => "The shop")
  .listen(Number(process.env["PORT"] ?? 8787));

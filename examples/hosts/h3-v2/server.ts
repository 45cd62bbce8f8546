import { H3, serve } from "h3";
import { gateway } from "../../shop/src/gateway.ts";
import { failToListen, port } from "../../shop/src/port.ts";

const app = new H3();
app.all("/router/v1/**", ({ req, waitUntil }) => gateway.fetch(req, { waitUntil }));
app.all("/assistants/**", ({ req, waitUntil }) => gateway.sessions.fetch(req, { basePath: "/assistants", waitUntil }));
app.get("/", () => "The shop");

await serve(app, { port }).ready().catch(failToListen);

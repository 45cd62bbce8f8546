import { bodyParser } from "@koa/bodyparser";
import cors from "@koa/cors";
import { nodeHandler } from "@tollgate/node";
import Koa, { type Middleware } from "koa";
import compress from "koa-compress";
import helmet from "koa-helmet";
import { gateway } from "../../shop/src/gateway.ts";
import { failToListen, port } from "../../shop/src/port.ts";

const app = new Koa();
app.use(helmet()).use(cors()).use(compress());
app.use(mounted("/router/v1", nodeHandler(gateway, { prefix: "/router/v1" })));
app.use(mounted("/assistants", nodeHandler(gateway.sessions, { prefix: "/assistants" })));
app.use(bodyParser());
app.use((ctx) => {
  if (ctx.path === "/") ctx.body = "The shop";
});

app.listen(port).on("error", failToListen);

function mounted(prefix: string, handler: ReturnType<typeof nodeHandler>): Middleware {
  return (ctx, next) => (ctx.path.startsWith(`${prefix}/`) ? handler(ctx.req, ctx.res) : next());
}

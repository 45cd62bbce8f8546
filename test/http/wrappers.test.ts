import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { nodeHandler } from "@tollgate/node";
import { fromNodeHandler, H3, toNodeHandler } from "h3";
import { createApp, fromNodeMiddleware, toNodeListener } from "h3-v1";
import Koa from "koa";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";
import { startUpstream } from "../upstream/upstream.ts";
import { type Edge, edges, type Host, hostMark, listen } from "./mounts/mount.ts";
import { gatewayBehind, prefix } from "./scene.ts";

type NodeHandler = ReturnType<typeof nodeHandler>;

/** Frameworks that accept a node:http handler and await its result. */
const wrappers: Readonly<Record<string, (handler: NodeHandler) => RequestListener>> = {
  "h3 1": (handler) => {
    const app = createApp().use(fromNodeMiddleware(handler));
    const ownAnswer = (_req: IncomingMessage, res: ServerResponse) => void res.writeHead(404, hostMark).end();
    return toNodeListener(app.use(fromNodeMiddleware(ownAnswer)));
  },
  "h3 2": (handler) => {
    const app = new H3().use((event, next) => {
      const inside = new URL(event.req.url).pathname.startsWith(`${prefix}/`);
      return inside ? fromNodeHandler(handler)(event) : next();
    });
    return toNodeHandler(app.all("/**", () => new Response(null, { status: 404, headers: hostMark })));
  },
  Koa: (handler) => {
    const app = new Koa();
    app.use((ctx, next) => (ctx.path.startsWith(`${prefix}/`) ? handler(ctx.req, ctx.res) : next()));
    return app.use((ctx) => void ctx.set(hostMark)).callback();
  },
};

async function setStage(wrap: (handler: NodeHandler) => RequestListener, edge: Edge = "direct") {
  const upstream = await startUpstream();
  const { gateway, key } = gatewayBehind(upstream);
  const host: Host = await listen(createServer(wrap(nodeHandler(gateway, { prefix, edge }))));
  const headers = { authorization: `Bearer ${await key()}`, "content-type": "application/json", connection: "close" };
  const url = `http://127.0.0.1:${host.port}`;
  return {
    upstream,
    get: (path: string) => fetch(`${url}${path}`, { headers }),
    post: (members: object) =>
      fetch(`${url}${prefix}/chat/completions`, {
        method: "POST",
        headers,
        body: JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }], ...members }),
      }),
    async [Symbol.asyncDispose]() {
      await host.close();
      await upstream.close();
    },
  };
}

const ways = Object.entries(wrappers).flatMap(([name, wrap]) => edges.map((edge) => ({ name, wrap, edge })));

describe.each(ways)("nodeHandler in $name, $edge edge", ({ wrap, edge }) => {
  it("answers with and without streaming", async () => {
    await using stage = await setStage(wrap, edge);
    const completion = stage.post({});
    (await stage.upstream.nextCall()).json(completionOf("Hi"));
    expect([(await completion).status, (await (await completion).json()).choices[0].message.content]).toEqual([
      200,
      "Hi",
    ]);
    const stream = stage.post({ stream: true });
    (await stage.upstream.nextCall()).json(completionOf("Hi"));
    expect((await stream).status).toBe(200);
    expect(await (await stream).text()).toMatch(/"content":"Hi".*data: \[DONE\]\n\n$/s);
  });

  it("answers with errors, and leaves other paths to the host", async () => {
    await using stage = await setStage(wrap, edge);
    expect((await stage.post({ model: "unknown" })).status).toBe(404);
    const elsewhere = await stage.get("/elsewhere");
    expect([elsewhere.status, elsewhere.headers.get("x-answered-by")]).toEqual([404, "host"]);
  });
});

describe("nodeHandler", () => {
  it("declares three parameters, as middleware does", () => {
    expect(nodeHandler(gatewayUnderTest().gateway)).toHaveLength(3);
  });

  it.each(edges)("resolves when the response is done on the edge %s, and after it has called next", async (edge) => {
    const done: string[] = [];
    const written = async (handler: NodeHandler, ...[req, res]: Parameters<RequestListener>) => {
      res.once("finish", () => done.push("finish"));
      await handler(req, res, () => res.writeHead(404, hostMark).end());
      done.push(res.headersSent ? "resolved" : "resolved before an answer");
    };
    await using stage = await setStage((handler) => (req, res) => void written(handler, req, res), edge);
    const stream = stage.post({ stream: true });
    const call = await stage.upstream.nextCall();
    expect(done).toEqual([]);
    call.json(completionOf("Hi"));
    await (await stream).text();
    await expect.poll(() => done).toEqual(["finish", "resolved"]);
    await (await stage.get("/elsewhere")).text();
    await expect.poll(() => done.filter((each) => each === "resolved")).toHaveLength(2);
  });

  it.each(edges)("resolves when the client disconnects on the edge %s", async (edge) => {
    const done: string[] = [];
    await using stage = await setStage(
      (handler) => (req, res) => void handler(req, res).then(() => done.push("resolved")),
      edge,
    );
    const stream = stage.post({ stream: true });
    const call = await stage.upstream.nextCall();
    await call.frame({
      id: "1",
      choices: [{ index: 0, delta: { role: "assistant", content: "a" }, finish_reason: null }],
    });
    await (await stream).body?.cancel();
    await expect.poll(() => done).toEqual(["resolved"]);
    await call.closed;
  });
});

import { createServer, type IncomingMessage } from "node:http";
import { pathInside } from "@tollgate/node/handler";
import { createServerAdapter } from "@whatwg-node/server";
import { type Gateways, hostMark, listen, type Mount } from "./mount.ts";
import { inFront, run } from "./node-mount.ts";

/** `gateway.fetch` behind a server that converts node:http requests to Fetch Requests. */
export const fetchMount: Mount = {
  name: "Fetch on @whatwg-node/server",
  without: {
    "duplicate authorization": "Its Requests have the headers of Node, which keep only the first Authorization header.",
    "absolute form": "The URL of its Requests is the host followed by the request target.",
    "lingering close": "Node decides what happens to the rest of a request: it closes the connection or keeps it open.",
    "pipelined responses": "`fetch` returns a Response and does not see when it is written.",
  },
  start(gateways, variant) {
    const adapter = createServerAdapter<NodeContext>((request, { req }) => answer(gateways, request, req));
    return listen(
      createServer((req, res) => run([...inFront[variant], (req, res) => void adapter(req, res)], req, res)),
    );
  },
};

interface NodeContext {
  readonly req: IncomingMessage & { readonly body?: unknown };
}

function answer(gateways: Gateways, request: Request, { body, socket }: NodeContext["req"]) {
  const { pathname } = new URL(request.url);
  for (const [prefix, gateway] of Object.entries(gateways)) {
    const path = pathInside(prefix, pathname);
    if (path === undefined || gateway.endpoint(request.method, path) === undefined) continue;
    return gateway.fetch(request, { path, parsedBody: body, clientAddress: socket.remoteAddress ?? "" });
  }
  const own = request.method === "GET" && pathname.endsWith("/own");
  return new Response(null, { status: own ? 200 : 404, headers: hostMark });
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Dispatcher, Pool } from "undici";

/**
 * A proxy with no feature on the parts that the gateway uses: node:http, and undici's `dispatch` with callbacks
 * that write straight to the response, with backpressure.
 */
export function bareProxy(upstreamPort: number): Server {
  const pool = new Pool(`http://127.0.0.1:${upstreamPort}`, { headersTimeout: 0, bodyTimeout: 0 });
  return createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => forward(pool, incoming, Buffer.concat(parts), response));
  });
}

function forward(pool: Pool, incoming: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const headers = { "content-type": "application/json", authorization: incoming.headers.authorization ?? "" };
  pool.dispatch({ method: "POST", path: incoming.url ?? "/", headers, body }, relay(response));
}

function relay(response: ServerResponse): Dispatcher.DispatchHandler {
  let ended = false;
  return {
    onRequestStart(controller) {
      response.on("close", () => {
        if (!ended) controller.abort(new Error("The client has gone."));
      });
      response.on("drain", () => controller.resume());
    },
    onResponseStart(_controller, status, headers) {
      response.writeHead(status, headers);
    },
    onResponseData(controller, chunk) {
      if (!response.write(chunk)) controller.pause();
    },
    onResponseEnd() {
      ended = true;
      response.end();
    },
    onResponseError() {
      ended = true;
      response.destroy();
    },
  };
}

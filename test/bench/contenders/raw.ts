import { Agent, createServer, request, type Server } from "node:http";

/** The plainest proxy in Node: node:http on both sides, a keep-alive agent and `pipe()`. */
export function rawProxy(upstreamPort: number): Server {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  return createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const options = { agent, host: "127.0.0.1", port: upstreamPort, method, path, headers };
    const outgoing = request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
}

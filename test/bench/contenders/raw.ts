import { Agent, createServer, request } from "node:http";
import type { Contender } from "./contender.ts";

/** The plainest proxy in Node: node:http on both sides, a keep-alive agent and `pipe()`. */
export function rawProxy(upstreamPort: number): Contender {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const server = createServer((incoming, response) => {
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
  return { server };
}

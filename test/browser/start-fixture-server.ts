import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { servePage } from "@tollgate/management/internal";
import { answerNode } from "../../packages/dashboard/page/fixtures/answer-node.ts";
import { loadPage } from "../../packages/dashboard/src/page/load-page.ts";

/** The prefix under which the page is served, to show that it needs no root. */
export const prefix = "/ops/tollgate";

/** A server of the built page over the fixtures. */
export interface FixtureServer {
  /** The address of the page with its slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server on a free port. `now` is the time in milliseconds at which the fixtures stand still. */
export async function startFixtureServer(now: number, port = 0): Promise<FixtureServer> {
  const built = await loadPage();
  const server = createServer((request, response) => {
    if (answerNode(request, response, now)) return;
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const { status, headers, body } = servePage(built, pathname.slice(prefix.length), {
      acceptEncoding: String(request.headers["accept-encoding"] ?? ""),
    });
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string")
    throw new Error("The fixture server has no port. Start it again.");
  return {
    url: `http://127.0.0.1:${address.port}${prefix}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

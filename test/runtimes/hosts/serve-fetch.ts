import { serve } from "@hono/node-server";

type Fetch = (request: Request, platform: object) => Response | Promise<Response>;

/** The used parts of the other runtimes. */
declare const Bun:
  | { serve(options: { fetch: Fetch; hostname: string; port: 0 }): { readonly port: number } }
  | undefined;
declare const Deno:
  | {
      serve(
        options: { hostname: string; port: 0; onListen(): void },
        fetch: Fetch,
      ): { readonly addr: { readonly port: number } };
    }
  | undefined;

const hostname = "127.0.0.1";

/** Serves a Fetch handler with the server of the runtime, or with Hono's on Node, and resolves with its port. */
export function serveFetch(fetch: Fetch): number | Promise<number> {
  if (typeof Bun !== "undefined") return Bun.serve({ fetch, hostname, port: 0 }).port;
  if (typeof Deno !== "undefined") return Deno.serve({ hostname, port: 0, onListen: () => undefined }, fetch).addr.port;
  return new Promise((resolve) => serve({ fetch, hostname, port: 0 }, ({ port }) => resolve(port)));
}

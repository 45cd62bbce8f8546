import type { Mountable } from "@tollgate/core";

type FetchHandler = (request: Request) => Promise<Response>;

/** Mounts a gateway at a prefix in front of a host's own fetch handler. */
export function withGateway(gateway: Mountable, prefix: string, host: FetchHandler): FetchHandler {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : undefined;
    if (path === undefined || gateway.endpoint(request.method, path) === undefined) return host(request);
    return gateway.fetch(request, { path });
  };
}

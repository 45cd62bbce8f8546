import type { Context } from "hono";
import { routePath } from "hono/route";

/**
 * The path of a request inside the mount, by Hono's own route: for "/router/v1/*" what follows "/router/v1". Each
 * segment of a route, also a parameter, stands for one segment of the path.
 */
export function mountedPath(c: Context): string {
  const { path } = c.req;
  let at = 0;
  for (let slashes = countSlashes(routePath(c)); slashes > 1; slashes--) {
    at = path.indexOf("/", at + 1);
    if (at === -1) return "/";
  }
  return path.slice(at);
}

function countSlashes(route: string): number {
  return route.split("/").length - 1;
}

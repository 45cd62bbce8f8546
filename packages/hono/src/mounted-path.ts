import type { Context } from "hono";

/**
 * The path of a request inside the mount, by Hono's own route: for "/router/v1/*" what follows "/router/v1". Each
 * segment of a route, also a parameter, stands for one segment of the path.
 */
export function mountedPath(c: Context): string {
  const { path } = c.req;
  let at = 0;
  // Not `routePath(c)` of "hono/route": of a Hono that was loaded by `require`, it is another copy, which cannot read `c`.
  for (let slashes = countSlashes(c.req.routePath); slashes > 1; slashes--) {
    at = path.indexOf("/", at + 1);
    if (at === -1) return "/";
  }
  return path.slice(at);
}

function countSlashes(route: string): number {
  return route.split("/").length - 1;
}

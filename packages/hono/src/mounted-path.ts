import type { Context } from "hono";

/**
 * Returns the path of a request relative to the mount. For the route "/router/v1/*", that is the part after "/router/v1".
 * Each segment of the route, including a parameter, matches one segment of the path.
 */
export function mountedPath(c: Context): string {
  const { path } = c.req;
  let at = 0;
  // Not `routePath(c)` of "hono/route": if the host loaded Hono by `require`, that is another copy, which cannot read `c`.
  for (let slashes = countSlashes(c.req.routePath); slashes > 1; slashes--) {
    at = path.indexOf("/", at + 1);
    if (at === -1) return "/";
  }
  return path.slice(at);
}

function countSlashes(route: string): number {
  return route.split("/").length - 1;
}

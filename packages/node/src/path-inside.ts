/**
 * The path of a request's URL inside a mount, without the query; undefined when the URL lies outside of it. Of a URL in
 * absolute form, which every server must accept (RFC 9112, section 3.2.2), the path counts.
 */
export function pathInside(prefix: string, url: string): string | undefined {
  const target = withoutOrigin(url);
  const query = target.indexOf("?");
  const path = query === -1 ? target : target.slice(0, query);
  if (prefix === "") return path;
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

/** A prefix as hosts write it, with a slash before it and none behind; "" for the root. */
export function mountPrefix(written: string): string {
  return `/${written}`.replace(/^\/+/, "/").replace(/\/+$/, "");
}

/** A request target without the scheme and host that one in absolute form begins with. */
export function withoutOrigin(url: string): string {
  return url.startsWith("/") ? url : url.replace(origin, "");
}

const origin = /^https?:\/\/[^/?]*/i;

/**
 * The path inside a mount of a request that a router has matched, by its pattern among `gateway.paths` and the
 * parameters of the match. What comes before the pattern may hold parameters of its own.
 */
export function matchedPath(pattern: string, params: unknown): string {
  return pattern.replace(/:id|\*$/, (found) => encodeURIComponent(parameterIn(params, found.replace(":", ""))));
}

/** A parameter as the router matched it; that of a prefix with a parameter of the same name stands before it, and is written over. */
function parameterIn(params: unknown, name: string): string {
  const value: unknown = typeof params === "object" && params !== null ? Reflect.get(params, name) : undefined;
  return typeof value === "string" ? value : "";
}

/**
 * The path of a request inside a mount whose route ends in a wildcard: for "/router/v1/*" what follows "/router/v1".
 * Each segment of a route, also a parameter, stands for one segment of the path.
 */
export function pathBelow(route: string, path: string): string {
  let at = 0;
  for (let slashes = route.split("/").length - 1; slashes > 1; slashes--) {
    at = path.indexOf("/", at + 1);
    if (at === -1) return "/";
  }
  return path.slice(at);
}

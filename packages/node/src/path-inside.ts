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

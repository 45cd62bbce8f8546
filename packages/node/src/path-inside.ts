/** The path of a request's URL inside a mount, without the query; undefined when the URL lies outside of it. */
export function pathInside(prefix: string, url: string): string | undefined {
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  if (prefix === "") return path;
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}

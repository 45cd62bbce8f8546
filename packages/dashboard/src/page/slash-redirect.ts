/**
 * Returns the relative address with a slash at the end for a URL without one; undefined if it has one. It is relative, so
 * that it holds behind a proxy that changes the prefix. The query is kept.
 */
export function slashRedirect(url: string): string | undefined {
  const [path = "", query] = url.replace(/^[a-z]+:\/\/[^/?]*/i, "").split(/\?(.*)/s);
  if (path === "" || path.endsWith("/")) return undefined;
  return `./${path.slice(path.lastIndexOf("/") + 1)}/${query === undefined ? "" : `?${query}`}`;
}

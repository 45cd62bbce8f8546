/**
 * The host of a URL as it is looked up: without brackets, without the dot that ends a full name. Undefined when
 * nothing or an empty label is left, which resolvers read in ways of their own.
 */
export function hostOf(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  return host.split(".").includes("") ? undefined : host;
}

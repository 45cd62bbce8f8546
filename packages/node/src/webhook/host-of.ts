/**
 * The host of a URL in the form that is resolved: without brackets and without a trailing dot. Undefined when the host
 * or one of its labels is empty, because resolvers treat that differently.
 */
export function hostOf(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  return host.split(".").includes("") ? undefined : host;
}

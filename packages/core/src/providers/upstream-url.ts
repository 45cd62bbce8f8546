/**
 * Returns the URL of `path` below the base URL of an upstream. The query is kept and must not contain a key, since URLs
 * are logged. Throws a TypeError that names the provider and says how to correct the option.
 */
export function upstreamURL(provider: string, baseURL: string, path: string, example: string): URL {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new TypeError(`${provider}: baseURL must be an http or https URL, such as "${example}".`);
  }
  if (url.username !== "" || url.password !== "" || [...url.searchParams.keys()].some((name) => keyNames.test(name))) {
    throw new TypeError(`${provider}: baseURL must not contain a key or password. Pass it as apiKey instead.`);
  }
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
  return url;
}

const keyNames = /^(?:api[-_]?key|key|(?:access|auth)[-_]?token|token|secret)$/i;

/** Returns the strings to remove from messages for clients: the host, and the values that are long enough to be secrets. */
export function hiddenFromClients(url: URL, values: readonly string[]): readonly string[] {
  const secrets = values.filter(({ length }) => length > 7);
  const hosts = [url.host, url.hostname].filter((host) => host.length > 2);
  return [...secrets, ...hosts];
}

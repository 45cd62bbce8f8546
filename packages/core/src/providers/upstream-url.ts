/**
 * What is at `path` below the address that a host gave for an upstream. A query of the address is kept, and may name no
 * key, since addresses are logged. Throws a TypeError that names the provider and the cure.
 */
export function upstreamURL(provider: string, baseURL: string, path: string, example: string): URL {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new TypeError(`${provider}: baseURL must be an http or https URL, such as "${example}".`);
  }
  if (url.username !== "" || url.password !== "" || [...url.searchParams.keys()].some((name) => keyNames.test(name))) {
    throw new TypeError(`${provider}: baseURL must hold no key or password. Pass it as apiKey instead.`);
  }
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
  return url;
}

const keyNames = /^(?:api[-_]?key|key|(?:access|auth)[-_]?token|token|secret)$/i;

/** What no client may see of an upstream: its host, and the keys and headers that are long enough to be secrets. */
export function hiddenFromClients(url: URL, values: readonly string[]): readonly string[] {
  const secrets = values.filter(({ length }) => length > 7);
  const hosts = [url.host, url.hostname].filter((host) => host.length > 2);
  return [...secrets, ...hosts];
}

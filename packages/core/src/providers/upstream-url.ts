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

/** Hosts of public APIs, whose addresses any model may write in its output. */
const publicHosts: ReadonlySet<string> = new Set([
  "api.anthropic.com",
  "api.cohere.ai",
  "api.deepseek.com",
  "api.fireworks.ai",
  "api.groq.com",
  "api.minimax.io",
  "api.mistral.ai",
  "api.moonshot.ai",
  "api.openai.com",
  "api.perplexity.ai",
  "api.together.xyz",
  "api.x.ai",
  "api.z.ai",
  "dashscope-intl.aliyuncs.com",
  "dashscope.aliyuncs.com",
  "generativelanguage.googleapis.com",
  "openrouter.ai",
]);

/**
 * Returns the strings that end an answer, even in the output of a model: the credentials among the headers, and the
 * address unless it is that of a public API. A key counts from its first half on, of at least 12 characters, since the
 * pieces of a stream are sent on as they arrive.
 */
export function secretsOf(
  { host, hostname, origin }: URL,
  headers: Readonly<Record<string, string>>,
): readonly string[] {
  const keys = Object.entries(headers).filter(([name, { length }]) => credentialHeader.test(name) && length > 7);
  const address = /[.:]/.test(host) ? host : origin;
  const halves = keys
    .map(([, value]) => value.replace(/^\w+ (?=\S+$)/, ""))
    .map((key) => key.slice(0, Math.max(12, key.length / 2)));
  return publicHosts.has(hostname) ? halves : [...halves, address];
}

const credentialHeader = /auth|key|token|secret|cookie|password/i;

/** Returns the strings to remove from messages for clients: the host, and the values that are long enough to be secrets. */
export function hiddenFromClients(url: URL, values: readonly string[]): readonly string[] {
  const secrets = values.filter(({ length }) => length > 7);
  const hosts = [url.host, url.hostname].filter((host) => host.length > 2);
  return [...secrets, ...hosts];
}

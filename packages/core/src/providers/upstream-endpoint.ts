import { isHeaderName } from "../wire/header-name.ts";

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
  const endpoint = endpointPath.exec(url.pathname)?.[1];
  if (endpoint !== undefined) {
    throw new TypeError(
      `${provider}: baseURL ends in "${endpoint}", the path of an endpoint. Remove it, since the gateway adds the path of each call: such as "${example}".`,
    );
  }
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
  return url;
}

/** Endpoints of the APIs of OpenAI, Anthropic, Google and Ollama. Azure has base URLs that end in `/models`. */
const endpointPath =
  /(\/(?:chat\/completions|completions|responses|embeddings|messages(?:\/count_tokens)?|api\/(?:chat|generate|embed|tags)|(?<=\/v\d\w{0,9}\/)models|models\/[^/]+:\w+))\/*$/i;

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

/**
 * Returns the headers of every request to an upstream: those of the host, the provider's `own`, which take precedence,
 * and those for uncompressed JSON, all with lower-case names. Throws a TypeError that names an invalid header.
 */
export function upstreamHeaders(
  provider: string,
  callHeaders: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const all: Record<string, string> = { "user-agent": "tollgate" };
  for (const headers of [callHeaders, own]) {
    for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value;
  }
  const bad = Object.entries(all).find(([name, value]) => !isHeaderName(name) || !fieldValue.test(value));
  if (bad !== undefined) {
    throw new TypeError(
      `${provider}: the header ${JSON.stringify(bad[0])} has an invalid name or value. Remove line breaks, surrounding spaces and characters outside ASCII from the option that it comes from, such as apiKey or headers.`,
    );
  }
  return { ...all, "content-type": "application/json", "accept-encoding": "identity" };
}

/** RFC 9110, section 5.5, without obsolete text. */
const fieldValue = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

import { requireKnown } from "@tollgate/core/internal";
import { hiddenFromClients, secretsOf, upstreamHeaders, upstreamURL } from "@tollgate/core/provider";
import type { AnthropicOptions } from "./anthropic-options.ts";

/** The checked connection options. */
export interface Endpoint {
  readonly url: string;
  /** The URL that counts the tokens of a request. */
  readonly countUrl: string;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The secrets and the host, which must not reach a client. */
  readonly hidden: readonly string[];
  /** The texts that end a native answer: the key, and an address that is not public. */
  readonly secrets: readonly string[];
}

const knownOptions = {
  apiKey: true,
  baseURL: true,
  version: true,
  betas: true,
  headers: true,
  name: true,
  pricedFields: true,
  maxTokens: true,
  thinking: true,
} as const;

const defaultURL = "https://api.anthropic.com/v1";

/** Checks the options and returns the URL and headers of all requests. Throws a TypeError that names the option and how to fix it. */
export function readEndpoint(options: AnthropicOptions): Endpoint {
  requireKnown("anthropic", options, knownOptions);
  const { apiKey, baseURL = defaultURL, headers = {} } = options;
  const url = upstreamURL("anthropic", baseURL, "/messages", defaultURL);
  const countUrl = upstreamURL("anthropic", baseURL, "/messages/count_tokens", defaultURL);
  const sent = readHeaders(options);
  return {
    url: url.href,
    countUrl: countUrl.href,
    apiKey,
    headers: sent,
    secrets: secretsOf(url, sent),
    hidden: hiddenFromClients(url, [apiKey, ...Object.values(headers)]),
  };
}

function readHeaders({ apiKey, version = "2023-06-01", betas = [], headers = {} }: AnthropicOptions) {
  if (typeof apiKey !== "string" || apiKey === "") {
    throw new TypeError("anthropic: apiKey is missing. Pass the key of an Anthropic workspace.");
  }
  return upstreamHeaders("anthropic", headers, {
    "x-api-key": apiKey,
    "anthropic-version": version,
    ...(betas.length > 0 ? { "anthropic-beta": betas.join(",") } : {}),
  });
}

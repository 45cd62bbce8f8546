import { requireKnown } from "@tollgate/core/internal";
import { hiddenFromClients, secretsOf, upstreamHeaders, upstreamURL } from "@tollgate/core/provider";

/** Options of `anthropic`. */
export interface AnthropicOptions {
  /** Sent only in the header `x-api-key`. */
  readonly apiKey: string;
  /** The URL before `/messages`; "https://api.anthropic.com/v1" when absent. */
  readonly baseURL?: string;
  /** The header `anthropic-version`; "2023-06-01" when absent. */
  readonly version?: string;
  /** Names for the header `anthropic-beta`. */
  readonly betas?: readonly string[];
  /** Additional headers of every request, such as "anthropic-workspace-id". */
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of the provider in events and metrics; "anthropic" when absent. */
  readonly name?: string;
  /**
   * Fields and hosted tools that the host's price covers, although they change what a call costs or where it goes, such as
   * "web_search" or "speed"; none when absent. See `ProviderCapabilities.pricedFields`.
   */
  readonly pricedFields?: readonly string[];
  /** The output cap, in tokens, of a request without one, since the API requires a cap; 4,096 when absent. */
  readonly maxTokens?: number;
  /**
   * How `reasoning_effort` is mapped. "adaptive", the default, is for Claude 4.6 and later: adaptive thinking and
   * `output_config.effort`. "budget" is for earlier models: a thinking budget that is a share of the output cap.
   */
  readonly thinking?: "adaptive" | "budget";
}

/** The checked connection options. */
export type Endpoint = ReturnType<typeof readEndpoint>;

const defaultURL = "https://api.anthropic.com/v1";

/** Checks the options and returns the URL and headers of all requests. Throws a TypeError that names the option and how to fix it. */
export function readEndpoint(options: AnthropicOptions) {
  requireKnown("anthropic", options, {
    apiKey: true,
    baseURL: true,
    version: true,
    betas: true,
    headers: true,
    name: true,
    pricedFields: true,
    maxTokens: true,
    thinking: true,
  });
  const { apiKey, baseURL = defaultURL, headers = {} } = options;
  const url = upstreamURL("anthropic", baseURL, "/messages", defaultURL);
  const countUrl = upstreamURL("anthropic", baseURL, "/messages/count_tokens", defaultURL);
  const sent = readHeaders(options);
  return {
    url: url.href,
    // Counts the tokens of a request.
    countUrl: countUrl.href,
    apiKey,
    headers: sent,
    // The texts that end a native answer: the key, and an address that is not public.
    secrets: secretsOf(url, sent),
    // The secrets and the host, which must not reach a client.
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

import type { ProviderCapabilities } from "../ports/provider-adapter.ts";
import { upstreamHeaders } from "./upstream-headers.ts";
import { hiddenFromClients, upstreamURL } from "./upstream-url.ts";

/** How to reach an upstream of OpenAI's shape. */
export interface OpenAICompatibleOptions {
  /** The address before `/chat/completions`, such as "https://api.openai.com/v1"; a query such as `?api-version=` is kept. */
  readonly baseURL: string;
  /** Sent as a bearer token, or in `apiKeyHeader`. Absent: no key is sent. */
  readonly apiKey?: string | undefined;
  /** The header that carries the bare key in place of `authorization`: "api-key" for Azure. */
  readonly apiKeyHeader?: string;
  /** For events and metrics; "openai-compatible" when absent. */
  readonly name?: string;
  /** Further headers of every request, such as "openai-organization". */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the upstream differs: it reports usage in streams, takes no priced field, and stops the bill when cancelled. */
  readonly capabilities?: Partial<ProviderCapabilities>;
}

/** The checked form of the options. */
export interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly outputCapField: ProviderCapabilities["outputCapField"];
  /** The secrets and the host, which no client may see. */
  readonly hidden: readonly string[];
}

/** Checks the options and puts the request's fixed parts together. Throws a TypeError that names the option and the cure. */
export function readEndpoint(options: OpenAICompatibleOptions): Endpoint {
  const url = upstreamURL("openaiCompatible", options.baseURL, "/chat/completions", "https://api.openai.com/v1");
  return {
    url: url.href,
    headers: readHeaders(options),
    outputCapField: takesCompletionCap(url.hostname) ? "max_completion_tokens" : "max_tokens",
    hidden: hiddenFromClients(url, [options.apiKey ?? "", ...Object.values(options.headers ?? {})]),
  };
}

function readHeaders({
  apiKey,
  apiKeyHeader = "authorization",
  headers = {},
}: OpenAICompatibleOptions): Readonly<Record<string, string>> {
  if (apiKey === "")
    throw new TypeError("openaiCompatible: apiKey is empty. Give the key, or leave apiKey out for none.");
  const value = apiKeyHeader.toLowerCase() === "authorization" ? `Bearer ${apiKey}` : apiKey;
  const own = apiKey === undefined || value === undefined ? {} : { [apiKeyHeader]: value };
  return upstreamHeaders("openaiCompatible", headers, own);
}

/** OpenAI and Azure refuse `max_tokens` for their reasoning models; most others know no other name. */
const takesCompletionCap = (hostname: string) =>
  hostname === "api.openai.com" || hostname.endsWith(".openai.azure.com");

import type { ProviderCapabilities } from "../ports/provider-adapter.ts";
import { upstreamHeaders } from "./upstream-headers.ts";
import { profileAt, type UpstreamName, type UpstreamProfile, upstreamProfiles } from "./upstream-profiles.ts";
import { hiddenFromClients, secretsOf, upstreamURL } from "./upstream-url.ts";

/** The options of an OpenAI-compatible upstream. */
export interface OpenAICompatibleOptions {
  /** The URL before `/chat/completions`, such as "https://api.openai.com/v1". A query such as `?api-version=` is kept. */
  readonly baseURL: string;
  /** Sent as a bearer token, or in `apiKeyHeader`. Absent: no key is sent. */
  readonly apiKey?: string | undefined;
  /** The header for the key in place of `authorization`, without `Bearer`: "api-key" for Azure. */
  readonly apiKeyHeader?: string;
  /** The name in events and metrics; "openai-compatible" when absent. */
  readonly name?: string;
  /** Additional headers of every request, such as "openai-organization". */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * What the upstream does differently from OpenAI: the name of a listed upstream, or the differences themselves. Absent: found
   * by the host of `baseURL`, or none.
   */
  readonly profile?: UpstreamName | UpstreamProfile;
  /** Overrides of the profile, and of the defaults: usage in streams, no priced fields, and a cancelled stream stops the bill. */
  readonly capabilities?: Partial<ProviderCapabilities>;
  /**
   * The APIs that the upstream has beside Chat Completions, at `/responses` and `/embeddings` of `baseURL`. Requests in these
   * dialects are sent to it as they are. Absent: those of the profile, which are both for OpenAI and none for others.
   */
  readonly dialects?: readonly ("responses" | "embeddings")[];
}

/** An upstream, from checked options. */
export interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly apiKey: string | undefined;
  readonly profile: UpstreamProfile;
  /** The secrets and the host, which are removed from messages for clients. */
  readonly hidden: readonly string[];
  /** The texts that end a native answer: see {@link secretsOf}. */
  readonly secrets: readonly string[];
}

/** Makes the fixed parts of every request. Throws a TypeError that names an invalid option and says how to correct it. */
export function readEndpoint(options: OpenAICompatibleOptions): Endpoint {
  const url = upstreamURL("openaiCompatible", options.baseURL, "/chat/completions", "https://api.openai.com/v1");
  const headers = readHeaders(options);
  return {
    url: url.href,
    headers,
    apiKey: options.apiKey,
    secrets: secretsOf(url, headers),
    profile: profileOf(options.profile, url.hostname),
    hidden: hiddenFromClients(url, [options.apiKey ?? "", ...Object.values(options.headers ?? {})]),
  };
}

/** Returns the URL of another API of an upstream, at a path beside `/chat/completions`. The query is kept. */
export function besideChat({ url }: Pick<Endpoint, "url">, path: `/${string}`): string {
  const beside = new URL(url);
  beside.pathname = beside.pathname.replace(/\/chat\/completions$/, path);
  return beside.href;
}

function readHeaders({
  apiKey,
  apiKeyHeader = "authorization",
  headers = {},
}: OpenAICompatibleOptions): Readonly<Record<string, string>> {
  if (apiKey === "") throw new TypeError("openaiCompatible: apiKey is empty. Give the key, or leave apiKey out.");
  const value = apiKeyHeader.toLowerCase() === "authorization" ? `Bearer ${apiKey}` : apiKey;
  const own = apiKey === undefined || value === undefined ? {} : { [apiKeyHeader]: value };
  return upstreamHeaders("openaiCompatible", headers, own);
}

function profileOf(profile: OpenAICompatibleOptions["profile"], hostname: string): UpstreamProfile {
  if (profile === undefined) return profileAt(hostname);
  return typeof profile === "string" ? upstreamProfiles[profile] : structuredClone(profile);
}

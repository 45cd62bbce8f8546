import { upstreamHeaders } from "@tollgate/core";
import type { AnthropicOptions } from "./anthropic-options.ts";

/** The checked form of what the options say of the connection. */
export interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The secrets and the host, which no client may see. */
  readonly hidden: readonly string[];
}

/** Checks the options and puts the request's fixed parts together. Throws a TypeError that names the option and the cure. */
export function readEndpoint(options: AnthropicOptions): Endpoint {
  const url = readURL(options.baseURL ?? "https://api.anthropic.com/v1");
  const secrets = [options.apiKey, ...Object.values(options.headers ?? {})].filter((each) => each.length > 7);
  return { url: url.href, headers: readHeaders(options), hidden: [...secrets, url.host, url.hostname] };
}

function readURL(baseURL: string): URL {
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new TypeError('anthropic: baseURL must be an http or https URL, such as "https://api.anthropic.com/v1".');
  }
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    throw new TypeError("anthropic: baseURL must hold no key, password or query. Pass the key as apiKey instead.");
  }
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/messages`;
  return url;
}

function readHeaders({ apiKey, version = "2023-06-01", betas = [], headers = {} }: AnthropicOptions) {
  if (apiKey === "") throw new TypeError("anthropic: apiKey is empty. Give the key of an Anthropic workspace.");
  return upstreamHeaders("anthropic", headers, {
    "x-api-key": apiKey,
    "anthropic-version": version,
    ...(betas.length > 0 ? { "anthropic-beta": betas.join(",") } : {}),
  });
}

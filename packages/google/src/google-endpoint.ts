import { requireKnown } from "@tollgate/core/internal";
import { hiddenFromClients, upstreamHeaders, upstreamURL } from "@tollgate/core/provider";
import type { SafetySetting } from "./gemini-request.ts";

/** Options of `google`. */
export interface GoogleOptions {
  /** A key of the Gemini API. Sent only in the header `x-goog-api-key`. */
  readonly apiKey: string;
  /** The URL before the version; "https://generativelanguage.googleapis.com" when absent. */
  readonly baseURL?: string;
  /** "v1beta" when absent. "v1" supports neither JSON Schema nor thinking. */
  readonly apiVersion?: string;
  /** The name of the provider in events and metrics; "google" when absent. */
  readonly name?: string;
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether requests with `reasoning_effort` return thought summaries as `reasoning_content`; true when absent. */
  readonly includeThoughts?: boolean;
  /** Blocking thresholds by harm category; Google's defaults when absent. */
  readonly safetySettings?: readonly SafetySetting[];
}

/** The checked form of the options. */
export type Endpoint = ReturnType<typeof readEndpoint>;

const defaultURL = "https://generativelanguage.googleapis.com";

/** Checks the options and returns the URL and headers of all requests. Throws a TypeError that names the option and how to fix it. */
export function readEndpoint(options: GoogleOptions) {
  requireKnown("google", options, {
    apiKey: true,
    baseURL: true,
    apiVersion: true,
    name: true,
    headers: true,
    includeThoughts: true,
    safetySettings: true,
  });
  const { apiKey, baseURL = defaultURL, apiVersion = "v1beta", headers = {} } = options;
  const url = readURL(baseURL, readVersion(apiVersion));
  const { origin, pathname, search } = url;
  return {
    // The URL of a method, such as "generateContent". `query` precedes the query of the base URL.
    url: (model: string, method: string, query = "") => {
      const parameters = [query, search.slice(1)].filter((each) => each !== "").join("&");
      return `${origin}${pathname}/${modelPath(model)}:${method}${parameters && `?${parameters}`}`;
    },
    headers: readHeaders(options),
    // The secrets and the host, which must not reach a client.
    hidden: hiddenFromClients(url, [apiKey, ...Object.values(headers)]),
  };
}

function readURL(baseURL: string, version: string): URL {
  const url = upstreamURL("google", baseURL, `/${version}`, defaultURL);
  if (/\/v\d+(?:alpha|beta)?\d*\/[^/]+$/.test(url.pathname)) {
    throw new TypeError("google: baseURL must end before the version. Pass the version as apiVersion instead.");
  }
  return url;
}

function readVersion(version: string): string {
  if (/^[a-z0-9]+$/.test(version)) return version;
  throw new TypeError('google: apiVersion must be the name of a version, such as "v1beta".');
}

function readHeaders({ apiKey, headers = {} }: GoogleOptions): Readonly<Record<string, string>> {
  if (typeof apiKey !== "string" || apiKey === "") {
    throw new TypeError("google: apiKey is missing. Pass a key of the Gemini API.");
  }
  return upstreamHeaders("google", headers, { "x-goog-api-key": apiKey });
}

/** A name with a slash, such as "tunedModels/mine", already contains its collection. */
function modelPath(model: string): string {
  const path = model.includes("/") ? model : `models/${model}`;
  return path.split("/").map(encodeURIComponent).join("/");
}

import { requireKnown } from "@tollgate/core/internal";
import { hiddenFromClients, upstreamHeaders, upstreamURL } from "@tollgate/core/provider";
import type { SafetySetting } from "./gemini-request.ts";

/** How to reach the Gemini API, and what to ask of every model of it. */
export interface GoogleOptions {
  /** A key of the Gemini API. It is sent in the header `x-goog-api-key`. */
  readonly apiKey: string;
  /** The address before the version; "https://generativelanguage.googleapis.com" when absent. */
  readonly baseURL?: string;
  /** "v1beta" when absent. "v1" knows neither JSON Schema nor thinking. */
  readonly apiVersion?: string;
  /** For events and metrics; "google" when absent. */
  readonly name?: string;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a request with a `reasoning_effort` gets summaries of the thoughts as `reasoning_content`; true when absent. */
  readonly includeThoughts?: boolean;
  /** What is blocked; Google's own settings when absent. */
  readonly safetySettings?: readonly SafetySetting[];
}

/** The checked form of the options. */
export interface Endpoint {
  /** Of one method of a model, such as "generateContent"; `query` goes before that of the host's address. */
  url(model: string, method: string, query?: string): string;
  readonly headers: Readonly<Record<string, string>>;
  /** The secrets and the host, which no client may see. */
  readonly hidden: readonly string[];
}

const knownOptions = {
  apiKey: true,
  baseURL: true,
  apiVersion: true,
  name: true,
  headers: true,
  includeThoughts: true,
  safetySettings: true,
} as const;

const defaultURL = "https://generativelanguage.googleapis.com";

/** Checks the options and puts the request's fixed parts together. Throws a TypeError that names the option and the cure. */
export function readEndpoint(options: GoogleOptions): Endpoint {
  requireKnown("google", options, knownOptions);
  const { apiKey, baseURL = defaultURL, apiVersion = "v1beta", headers = {} } = options;
  const url = readURL(baseURL, readVersion(apiVersion));
  const { origin, pathname, search } = url;
  return {
    url: (model, method, query = "") => {
      const parameters = [query, search.slice(1)].filter((each) => each !== "").join("&");
      return `${origin}${pathname}/${modelPath(model)}:${method}${parameters && `?${parameters}`}`;
    },
    headers: readHeaders(options),
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
    throw new TypeError("google: apiKey is missing. Give a key of the Gemini API.");
  }
  return upstreamHeaders("google", headers, { "x-goog-api-key": apiKey });
}

/** A name with a slash says its collection itself, as "tunedModels/mine" does. */
function modelPath(model: string): string {
  const path = model.includes("/") ? model : `models/${model}`;
  return path.split("/").map(encodeURIComponent).join("/");
}

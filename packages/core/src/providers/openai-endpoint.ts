import * as v from "valibot";
import { arrayOf, filledText, flag, oneOf, wanted, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { ProviderCapabilities } from "../ports/provider-adapter.ts";
import { openaiFinishReasons } from "../wire/answer-form.ts";
import { isJsonObject } from "../wire/json.ts";
import { hiddenFromClients, secretsOf, upstreamHeaders, upstreamURL } from "./upstream-endpoint.ts";
import { profileAt, type UpstreamName, type UpstreamProfile, upstreamProfiles } from "./upstream-profiles.ts";

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
export type Endpoint = ReturnType<typeof readEndpoint>;

/** Makes the fixed parts of every request. Throws a TypeError that names an invalid option and says how to correct it. */
export function readEndpoint(options: OpenAICompatibleOptions) {
  const url = upstreamURL("openaiCompatible", options.baseURL, "/chat/completions", "https://api.openai.com/v1");
  const headers = readHeaders(options);
  return {
    url: url.href,
    headers,
    apiKey: options.apiKey,
    // The texts that end a native answer.
    secrets: secretsOf(url, headers),
    profile: profileOf(options.profile, url.hostname),
    // The secrets and the host, which are removed from messages for clients.
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

const headersSchema = v.custom<Readonly<Record<string, string>>>(
  (value) => isJsonObject(value) && Object.values(value).every((each) => typeof each === "string"),
  wanted('must be an object of strings, such as { "openai-organization": "org-1" }'),
);

/** The APIs that an OpenAI-compatible upstream may have beside Chat Completions. */
export const openaiDialects = ["responses", "embeddings"] as const;

const dialectWanted = wanted('must be an array of "responses" and "embeddings"');
const dialectsSchema = v.exactOptional(v.array(v.picklist(openaiDialects, dialectWanted), dialectWanted));

const profileNames = Object.keys(upstreamProfiles);

const profileMembers = optionMembers("a profile", {
  streamUsage: v.exactOptional(flag),
  outputCapField: v.exactOptional(oneOf("max_tokens", "max_completion_tokens")),
  refusedFields: v.exactOptional(arrayOf("names of fields", filledText)),
  answers: v.exactOptional(
    optionMembers("the answers of a profile", {
      cachedTokens: v.exactOptional(arrayOf("dot paths", filledText)),
      cacheWriteTokens: v.exactOptional(arrayOf("dot paths", filledText)),
      reasoningTokens: v.exactOptional(arrayOf("dot paths", filledText)),
      finishReasons: v.exactOptional(
        v.record(
          v.string(),
          oneOf(...openaiFinishReasons, "interrupted"),
          wanted('must be an object of reasons, such as { gave_up: "interrupted" }'),
        ),
      ),
    }),
  ),
  thoughts: v.exactOptional(
    v.custom<UpstreamProfile["thoughts"]>(
      (value) => value === "reasoning_content" || value === "reasoning" || value === false,
      wanted('must be "reasoning_content", "reasoning" or false'),
    ),
  ),
  toolImages: v.exactOptional(flag),
  base64Vectors: v.exactOptional(flag),
  callIds: v.exactOptional(oneOf("nine_alphanumeric")),
  toolNameLength: v.exactOptional(wholeNumber(16)),
  dialects: dialectsSchema,
});

/** The members of OpenAICompatibleOptions. */
export const openaiMembers = {
  // The URL is checked by `upstreamURL`.
  baseURL: v.string(wanted('must be a string, such as "https://api.openai.com/v1"')),
  apiKey: v.exactOptional(v.string("must be a string. Give the key, or leave it out")),
  apiKeyHeader: v.exactOptional(filledText),
  name: v.exactOptional(filledText),
  headers: v.exactOptional(headersSchema),
  profile: v.exactOptional(v.lazy((value) => (isJsonObject(value) ? profileMembers : oneOf(...profileNames)))),
  capabilities: v.exactOptional(
    v.custom<Partial<ProviderCapabilities>>(isJsonObject, wanted("must be an object of capabilities")),
  ),
  dialects: dialectsSchema,
};

/** The schema of OpenAICompatibleOptions. */
export const openaiOptionsSchema = optionMembers("the options of openaiCompatible", openaiMembers);

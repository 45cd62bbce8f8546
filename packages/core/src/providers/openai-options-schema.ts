import * as v from "valibot";
import { arrayOf, filledText, flag, oneOf, wanted, wholeNumber } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { ProviderCapabilities } from "../ports/provider-adapter.ts";
import { isJsonObject } from "../wire/json.ts";
import { type UpstreamProfile, upstreamProfiles } from "./upstream-profiles.ts";

/** The schema of the headers that a host adds to every request of a provider. */
export const headersSchema = v.custom<Readonly<Record<string, string>>>(
  (value) => isJsonObject(value) && Object.values(value).every((each) => typeof each === "string"),
  wanted('must be an object of strings, such as { "openai-organization": "org-1" }'),
);

/** The APIs that an OpenAI-compatible upstream may have beside Chat Completions. */
export const openaiDialects = ["responses", "embeddings"] as const;

const dialectWanted = wanted('must be an array of "responses" and "embeddings"');

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
          oneOf("stop", "length", "tool_calls", "function_call", "content_filter", "interrupted"),
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
  dialects: v.exactOptional(v.array(v.picklist(openaiDialects, dialectWanted), dialectWanted)),
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
  dialects: v.exactOptional(v.array(v.picklist(openaiDialects, dialectWanted), dialectWanted)),
};

/** The schema of OpenAICompatibleOptions. */
export const openaiOptionsSchema = optionMembers("the options of openaiCompatible", openaiMembers);

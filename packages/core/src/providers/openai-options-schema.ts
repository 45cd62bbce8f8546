import * as v from "valibot";
import { filledText, wanted } from "../options/leaves.ts";
import { optionMembers } from "../options/members.ts";
import type { ProviderCapabilities } from "../ports/provider-adapter.ts";
import { isJsonObject } from "../wire/json.ts";

/** The schema of the headers that a host adds to every request of a provider. */
export const headersSchema = v.custom<Readonly<Record<string, string>>>(
  (value) => isJsonObject(value) && Object.values(value).every((each) => typeof each === "string"),
  wanted('must be an object of strings, such as { "openai-organization": "org-1" }'),
);

/** The APIs that an OpenAI-compatible upstream may have beside Chat Completions. */
export const openaiDialects = ["responses", "embeddings"] as const;

const dialectWanted = wanted('must be an array of "responses" and "embeddings"');

/** The members of OpenAICompatibleOptions. */
export const openaiMembers = {
  // The URL is checked by `upstreamURL`.
  baseURL: v.string(wanted('must be a string, such as "https://api.openai.com/v1"')),
  apiKey: v.exactOptional(v.string("must be a string. Give the key, or leave it out")),
  apiKeyHeader: v.exactOptional(filledText),
  name: v.exactOptional(filledText),
  headers: v.exactOptional(headersSchema),
  capabilities: v.exactOptional(
    v.custom<Partial<ProviderCapabilities>>(isJsonObject, wanted("must be an object of capabilities")),
  ),
  dialects: v.exactOptional(v.array(v.picklist(openaiDialects, dialectWanted), dialectWanted)),
};

/** The schema of OpenAICompatibleOptions. */
export const openaiOptionsSchema = optionMembers("the options of openaiCompatible", openaiMembers);

import { ProviderError } from "@tollgate/core/provider";

/**
 * The error for a request that the Gemini API has no way to take. `param` is the dot path of the field, `sentence`
 * tells the client what to do; it must hold nothing of the request but names.
 */
export const refused = (param: string, sentence: string): ProviderError =>
  new ProviderError("rejected", `The Gemini API cannot take \`${param}\`. ${sentence}`, {
    clientMessage: sentence,
    param,
  });

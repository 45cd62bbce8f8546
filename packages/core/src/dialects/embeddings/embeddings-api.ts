import type { AnswerReader, ModelApi } from "../../answering/model-api.ts";
import type { ProviderAnswer } from "../../ports/provider-adapter.ts";
import { parseEmbeddings } from "./parse-embeddings.ts";
import { readEmbeddings } from "./read-embeddings.ts";

/**
 * OpenAI's Embeddings API. Only providers that declare the dialect answer it, in one piece.
 * Follows https://platform.openai.com/docs/api-reference/embeddings
 */
export const embeddingsApi: ModelApi = {
  dialect: "embeddings",
  parse: parseEmbeddings,
  translated: untranslated<ProviderAnswer>(),
  native: { ...untranslated(), read: readEmbeddings },
  textOf: () => "",
  mergeFrames: () => undefined,
  endpoints: [],
};

/** A request in this dialect is refused before it could be translated or streamed. */
function untranslated<Given>(): AnswerReader<Given> {
  const refuse = (): never => {
    throw new Error("Embeddings are neither translated nor streamed.");
  };
  return { read: refuse, translator: refuse };
}

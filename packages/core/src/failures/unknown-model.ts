/** Error codes, in lower case. */
const codes = /^(?:deploymentnotfound|invalid_model(?:_id)?|model_not_(?:available|exist|found)|unsupported_model)$/;

const name = "[\\w./:@~-]{1,200}";

/**
 * What upstreams say, at the start of the message only, since the rest may quote the request, and no client may take a target
 * out for all: OpenAI, vLLM, Groq, xAI, Qwen, Ollama, DeepSeek and Cohere; Moonshot; Google; Mistral, Perplexity and LiteLLM;
 * OpenRouter; Together; Z.ai and MiniMax; LM Studio; Azure.
 */
const texts = new RegExp(
  `^\\s*(?:(?:the )?(?:requested )?model:? (?:[\`'"]?${name}[\`'"]? )?(?:is |was )?(?:does(?: not|n't) exist|not exist|not found)|not found the model|models/\\S{1,200} is not found|invalid model(?: name| id)?(?: passed|\\s*[:'"\`])|${name} is not a valid model id|unable to access model|(?:invalid params, )?unknown model|failed to load model|no models? loaded|the api deployment for this resource does not exist)`,
  "i",
);

/** Anthropic: "model: claude-x", with the name `not_found_error`. */
const anthropicText = /^\s*model: \S+$/;

/** Returns true if an upstream's names of an error, or its message, say that it does not have the model. */
export function isUnknownModel(names: readonly string[], message: string | undefined): boolean {
  const known = names.map((each) => each.toLowerCase());
  if (known.some((each) => codes.test(each))) return true;
  const start = message?.slice(0, 300) ?? "";
  return texts.test(start) || (known.includes("not_found_error") && anthropicText.test(start));
}

const codes: ReadonlySet<string> = new Set([
  "deploymentnotfound",
  "invalid_model",
  "invalid_model_id",
  "model_not_available",
  "model_not_exist",
  "model_not_found",
  "unsupported_model",
]);

/**
 * The start of each upstream's message, since the rest may quote the request, and no client may take a target out for all.
 * A name stands in any quotes or in none.
 */
const texts: readonly RegExp[] = [
  // OpenAI, vLLM, Groq, xAI, Qwen and Ollama: "The model `x` does not exist"; Z.ai and DeepSeek: "Model Not Exist".
  /^\s*(?:the )?(?:requested )?model:?\s+(?:['"`][^'"`]{1,200}['"`]\s+|[\w./:@~-]{1,200}\s+)?(?:is |was )?(?:does(?: not|n't) exist|not exist|not found|not supported by)/i,
  // Moonshot, Cohere and Google.
  /^\s*not found the model\b/i,
  /^\s*models\/[\w./:@~-]{1,200} is not found/i,
  // Mistral, Perplexity and LiteLLM: "Invalid model: x", "Invalid model 'x'", "Invalid model name passed in model=x".
  /^\s*invalid model(?: name| id)?(?: passed|\s*[:'"`])/i,
  // OpenRouter, Together, Z.ai, MiniMax, LM Studio and Azure.
  /^\s*[\w./:@~-]{1,200} is not a valid model id/i,
  /^\s*unable to access model\b/i,
  /^\s*(?:invalid params, )?unknown model\b/i,
  /^\s*failed to load model\b/i,
  /^\s*no models? loaded\b/i,
  /^\s*the api deployment for this resource does not exist/i,
];

/** Anthropic: "model: claude-x", with the name `not_found_error`. */
const anthropicText = /^\s*model: \S+$/;

/** Returns true if an upstream's names of an error, or its message, say that it does not have the model. */
export function isUnknownModel(names: readonly string[], message: string | undefined): boolean {
  const known = names.map((name) => name.toLowerCase());
  if (known.some((name) => codes.has(name))) return true;
  if (message === undefined) return false;
  const start = message.slice(0, 300);
  if (known.includes("not_found_error") && anthropicText.test(start)) return true;
  return texts.some((text) => text.test(start));
}

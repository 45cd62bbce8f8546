const codes: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "exceed_context_size_error",
]);

/** Texts of OpenAI, Azure, vLLM, SGLang, llama.cpp, TGI, Anthropic, Bedrock, Google, Mistral, Cohere, xAI and OpenRouter. */
const texts: readonly RegExp[] = [
  /maximum (?:context|prompt|model|input) length/i,
  /(?:exceed|longer than|larger than|greater than|too (?:large|long) for)[^.]{0,80}context (?:length|window|size|limit)/i,
  /(?:prompt|input) is too long/i,
  /too many tokens: /i,
  /input token count[^.]{0,40} exceeds/i,
  /tokens \+ .max_new_tokens. must be/i,
  /reduce the length of the (?:messages|prompt|input)/i,
];

/** Returns true if an upstream's error code or message says that the prompt is longer than the context window. */
export function isContextLength(code: string | undefined, message: string | undefined): boolean {
  if (code !== undefined && codes.has(code)) return true;
  return message !== undefined && texts.some((text) => text.test(message.slice(0, 2_000)));
}

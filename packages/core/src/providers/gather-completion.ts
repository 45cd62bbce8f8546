import { ProviderError } from "../errors/provider-error.ts";
import type { ChatCompletion } from "../wire/chat-completion.ts";
import type { ChatCompletionChunk } from "../wire/chat-completion-chunk.ts";
import { chunksToCompletion } from "../wire/chunks-to-completion.ts";

/**
 * The completion that a stream of chunks adds up to, for providers whose upstream only streams. Throws what the stream
 * fails with, and a ProviderError of the kind `invalid_response` when it ends without a finish_reason.
 */
export async function gatherCompletion(chunks: AsyncIterable<ChatCompletionChunk>): Promise<ChatCompletion> {
  const gathered: ChatCompletionChunk[] = [];
  for await (const chunk of chunks) gathered.push(chunk);
  const completion = chunksToCompletion(gathered);
  if (completion.choices.length > 0 && completion.choices.every(isFinished)) return completion;
  throw new ProviderError("invalid_response", "The provider's answer has no end. Check its base URL, or try again.");
}

const isFinished = ({ finish_reason: finish }: ChatCompletion["choices"][number]) => typeof finish === "string";

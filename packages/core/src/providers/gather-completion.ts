import { ProviderError } from "../errors/provider-error.ts";
import type { ChatCompletion } from "../wire/chat-completion.ts";
import type { ChatCompletionChunk } from "../wire/chat-completion-chunk.ts";
import { chunksToCompletion } from "../wire/chunks-to-completion.ts";
import { chunkText } from "../wire/output-text.ts";

// About 16 MiB, as for a non-streamed answer. Each chunk counts too, since it takes memory even without text.
const maxCharacters = 16 * 1024 * 1024;
const charactersPerChunk = 64;

/**
 * Collects a stream of chunks into a completion, for providers whose upstream only streams. Rejects with the error of
 * the stream, and with a ProviderError of the kind `invalid_response` if it ends without a finish_reason or exceeds 16 MiB.
 */
export async function gatherCompletion(chunks: AsyncIterable<ChatCompletionChunk>): Promise<ChatCompletion> {
  const gathered: ChatCompletionChunk[] = [];
  let left = maxCharacters;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    left -= charactersPerChunk + chunkText(chunk).length;
    if (left < 0)
      throw new ProviderError("invalid_response", "The provider's answer is longer than 16 MiB. Request fewer tokens.");
  }
  const completion = chunksToCompletion(gathered);
  if (completion.choices.length > 0 && completion.choices.every(isFinished)) return completion;
  throw new ProviderError(
    "invalid_response",
    "The provider's answer ended without a finish_reason. Check its base URL, or try again.",
  );
}

const isFinished = ({ finish_reason: finish }: ChatCompletion["choices"][number]) => typeof finish === "string";

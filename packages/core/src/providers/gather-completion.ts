import { ProviderError } from "../errors/provider-error.ts";
import type { ChatCompletion } from "../wire/chat-completion.ts";
import type { ChatCompletionChunk } from "../wire/chat-completion-chunk.ts";
import { chunksToCompletion } from "../wire/chunks-to-completion.ts";
import { chunkText } from "../wire/output-text.ts";

// Together some 16 MiB, which is the longest answer in one piece as well: a chunk takes room even without a text.
const mostCharacters = 16 * 1024 * 1024;
const charactersOfChunk = 64;

/**
 * The completion that a stream of chunks adds up to, for providers whose upstream only streams. Throws what the stream
 * fails with, and a ProviderError of the kind `invalid_response` when it ends without a finish_reason or gives more than
 * 16 MiB.
 */
export async function gatherCompletion(chunks: AsyncIterable<ChatCompletionChunk>): Promise<ChatCompletion> {
  const gathered: ChatCompletionChunk[] = [];
  let left = mostCharacters;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    left -= charactersOfChunk + chunkText(chunk).length;
    if (left < 0)
      throw new ProviderError("invalid_response", "The provider's answer is longer than 16 MiB. Ask for less.");
  }
  const completion = chunksToCompletion(gathered);
  if (completion.choices.length > 0 && completion.choices.every(isFinished)) return completion;
  throw new ProviderError("invalid_response", "The provider's answer has no end. Check its base URL, or try again.");
}

const isFinished = ({ finish_reason: finish }: ChatCompletion["choices"][number]) => typeof finish === "string";

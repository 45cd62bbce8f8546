import {
  type ByteStream,
  type ChatCompletionChunk,
  classifyErrorPayload,
  ProviderError,
  type ProviderStream,
  readEvents,
} from "@tollgate/core/provider";

/** Returns the chunks of a stream of either kind. Throws the error of the stream, and an error in a frame. */
export function chunksOf(stream: ProviderStream): AsyncIterable<ChatCompletionChunk> {
  return stream.kind === "chunks" ? stream.chunks : parsedChunks(stream.bytes);
}

async function* parsedChunks(bytes: ByteStream): AsyncGenerator<ChatCompletionChunk> {
  for await (const { data } of readEvents(bytes)) {
    if (data === "[DONE]") return;
    const frame = parse(data);
    if (frame.error) throw classifyErrorPayload(frame);
    yield frame;
  }
}

/** Parses a frame as the gateway does, which parses the bytes of an upstream itself. */
function parse(data: string) {
  try {
    return JSON.parse(data);
  } catch {
    throw new ProviderError("invalid_response", "The upstream sent a frame that is not JSON.");
  }
}

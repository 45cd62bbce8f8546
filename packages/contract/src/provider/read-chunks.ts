import {
  type ByteStream,
  type ChatCompletionChunk,
  ProviderError,
  type ProviderStream,
  readEvents,
  sortErrorPayload,
} from "@tollgate/core/provider";

/** The chunks of a streamed answer in either form. Throws what the stream fails with, and an error that a frame tells. */
export function chunksOf(stream: ProviderStream): AsyncIterable<ChatCompletionChunk> {
  return stream.kind === "chunks" ? stream.chunks : parsedChunks(stream.bytes);
}

async function* parsedChunks(bytes: ByteStream): AsyncGenerator<ChatCompletionChunk> {
  for await (const { data } of readEvents(bytes)) {
    if (data === "[DONE]") return;
    const frame = parse(data);
    if (frame.error) throw sortErrorPayload(frame);
    yield frame;
  }
}

/** As the gateway does, which is who parses an upstream's own bytes. */
function parse(data: string) {
  try {
    return JSON.parse(data);
  } catch {
    throw new ProviderError("invalid_response", "The upstream sent a frame that is not JSON.");
  }
}

import { type ByteStream, type ChatCompletionChunk, type ProviderStream, sortErrorPayload } from "@tollgate/core";

/** The chunks of a streamed answer in either form. Throws what the stream fails with, and an error that a frame tells. */
export function chunksOf(stream: ProviderStream): AsyncIterable<ChatCompletionChunk> {
  return stream.kind === "chunks" ? stream.chunks : parsedChunks(stream.bytes);
}

async function* parsedChunks(bytes: ByteStream): AsyncGenerator<ChatCompletionChunk> {
  for await (const data of dataOf(bytes)) {
    if (data === "[DONE]") return;
    const frame = JSON.parse(data);
    if (frame.error) throw sortErrorPayload(frame);
    yield frame;
  }
}

async function* dataOf(bytes: ByteStream): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of pulled(bytes)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data:")) yield line.slice("data:".length).trim();
  }
}

interface Arrivals {
  readonly chunks: Uint8Array[];
  ending: { readonly cause?: unknown } | undefined;
  wake(): void;
}

/** The bytes as they are asked for; the source is paused while nobody asks and cancelled when the reader leaves. */
async function* pulled(stream: ByteStream): AsyncGenerator<Uint8Array> {
  const arrivals: Arrivals = { chunks: [], ending: undefined, wake: () => undefined };
  flowInto(stream, arrivals);
  try {
    for (;;) {
      yield* arrivals.chunks.splice(0);
      if (arrivals.chunks.length > 0) continue;
      if (arrivals.ending !== undefined) break;
      await arrival(stream, arrivals);
    }
  } finally {
    stream.cancel();
  }
  if (arrivals.ending !== undefined && "cause" in arrivals.ending) throw arrivals.ending.cause;
}

function flowInto(stream: ByteStream, arrivals: Arrivals): void {
  const end = (ending: { readonly cause?: unknown }) => {
    arrivals.ending = ending;
    arrivals.wake();
  };
  stream.flow({
    write(chunk) {
      arrivals.chunks.push(chunk);
      stream.pause();
      arrivals.wake();
    },
    close: () => end({}),
    fail: (cause) => end({ cause }),
  });
}

function arrival(stream: ByteStream, arrivals: Arrivals): Promise<void> {
  return new Promise((resolve) => {
    arrivals.wake = resolve;
    stream.resume();
  });
}

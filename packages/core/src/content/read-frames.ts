import { decodeUtf8 } from "../wire/bytes.ts";
import type { ChatCompletion } from "../wire/chat-completion.ts";
import { chunksToCompletion } from "../wire/chunks-to-completion.ts";

/** Merges the frames that a client received into one completion. Comments, errors and `[DONE]` are left out. */
export function readFrames(frames: Uint8Array): ChatCompletion | undefined {
  const chunks = (decodeUtf8(frames) ?? "")
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: {"))
    .map((frame) => JSON.parse(frame.slice("data: ".length)))
    .filter((chunk) => Array.isArray(chunk.choices));
  return chunks.length === 0 ? undefined : chunksToCompletion(chunks);
}

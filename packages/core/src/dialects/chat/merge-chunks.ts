import { isChunk } from "../../streaming/collect-completion.ts";
import { chunksToCompletion } from "../../wire/chunks-to-completion.ts";
import type { JsonObject } from "../../wire/json.ts";

/** Merges the frames that a client received into one completion. Returns undefined if none has choices. */
export function mergeChunks(frames: readonly JsonObject[]): object | undefined {
  const chunks = frames.filter(isChunk);
  return chunks.length === 0 ? undefined : chunksToCompletion(chunks);
}

import { ProviderError } from "../errors/provider-error.ts";
import type { ByteStream } from "../ports/byte-stream.ts";
import { isChunk } from "../upstream/collect-completion.ts";
import type { FailureContext } from "../upstream/failure.ts";
import { readReportedError } from "../upstream/frame-reports.ts";
import { readEvents } from "../upstream/read-events.ts";
import type { ChatCompletion } from "../wire/chat-completion.ts";
import type { ChatCompletionChunk } from "../wire/chat-completion-chunk.ts";
import { isJsonObject, type JsonObject, tryParseJson } from "../wire/json.ts";
import type { ToolNames } from "./tool-names.ts";

/** Returns a completion with the names of tools that the client knows: the completion itself if none was shortened. */
export function restoreNames(completion: ChatCompletion, names: ToolNames | undefined): ChatCompletion {
  if (names === undefined) return completion;
  const choices = completion.choices.map((choice) => ({ ...choice, message: withNames(choice.message, names) }));
  return { ...completion, choices };
}

/**
 * Yields the chunks of an event stream with the names of tools that the client knows. Throws a ProviderError for an error that
 * the stream reports, and for a frame that is not a chunk. `context` is called only for an error.
 */
export async function* restoreStreamedNames(
  stream: ByteStream,
  names: ToolNames,
  context: () => FailureContext,
): AsyncGenerator<ChatCompletionChunk> {
  for await (const { data } of readEvents(stream)) {
    if (data.trim() === "[DONE]") return;
    const frame = tryParseJson(data);
    const error = readReportedError(frame, context);
    if (error !== undefined) throw error;
    if (!isJsonObject(frame)) throw invalidFrame();
    const choices = isChunk(frame) ? frame.choices : [];
    yield { ...frame, choices: choices.map((choice) => ({ ...choice, delta: withNames(choice.delta, names) })) };
  }
}

const invalidFrame = () =>
  new ProviderError("invalid_response", "The upstream sent a frame that is not a JSON object. Try again.");

/** `holder` is the message or delta of a choice, which an upstream may leave out. */
function withNames<Holder extends JsonObject>(holder: Holder, names: ToolNames): Holder {
  const calls: unknown = holder?.["tool_calls"];
  if (!Array.isArray(calls)) return holder;
  return { ...holder, tool_calls: calls.map((call) => withName(call, names)) };
}

function withName(call: unknown, names: ToolNames): unknown {
  if (!isJsonObject(call) || !isJsonObject(call["function"])) return call;
  const { name } = call["function"];
  return typeof name === "string" ? { ...call, function: { ...call["function"], name: names.restore(name) } } : call;
}

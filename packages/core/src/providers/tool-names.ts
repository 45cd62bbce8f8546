import { ProviderError } from "../errors/provider-error.ts";
import type { ByteStream } from "../ports/byte-stream.ts";
import type { FailureContext } from "../upstream/failure.ts";
import { readReportedError } from "../upstream/frame-reports.ts";
import { readEvents } from "../upstream/read-events.ts";
import type { ChatCompletion, ChatCompletionChunk } from "../wire/chat-completion.ts";
import { isChunk } from "../wire/completion-chunks.ts";
import { isJsonObject, type JsonObject, tryParseJson } from "../wire/json.ts";
import { murmurHash } from "../wire/murmur-hash.ts";

/** The names of the tools of one request that are too long for its upstream, with the shorter names that it gets. */
export class ToolNames {
  readonly #length: number;
  readonly #longNames = new Map<string, string>();

  /** `length` is the most characters of a name; at least 16. */
  constructor(length: number) {
    this.#length = length;
  }

  /** True if no name was shortened. */
  get isEmpty(): boolean {
    return this.#longNames.size === 0;
  }

  /** Returns a name that the upstream accepts. It is the same in each turn, so that prompt caches hold. */
  shorten(name: string): string {
    if (name.length <= this.#length) return name;
    const suffix = `_${derivedText(name)}`;
    const short = name.slice(0, this.#length - suffix.length) + suffix;
    this.#longNames.set(short, name);
    return short;
  }

  /** Returns the name that the client knows. */
  restore(name: string): string {
    return this.#longNames.get(name) ?? name;
  }
}

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
    if (!isJsonObject(frame))
      throw new ProviderError("invalid_response", "The upstream sent a frame that is not a JSON object. Try again.");
    const choices = isChunk(frame) ? frame.choices : [];
    yield { ...frame, choices: choices.map((choice) => ({ ...choice, delta: withNames(choice.delta, names) })) };
  }
}

/** `holder` is the message or delta of a choice, which an upstream may leave out. */
function withNames<Holder extends JsonObject>(holder: Holder, names: ToolNames): Holder {
  const calls: unknown = holder?.["tool_calls"];
  if (!Array.isArray(calls)) return holder;
  return { ...holder, tool_calls: calls.map((call) => renamed(call, (name) => names.restore(name))) };
}

/** Returns a value that names a function, such as a tool or a call of one, with another name. Any other value is returned as it is. */
export function renamed(holder: unknown, rename: (name: string) => string): unknown {
  if (!isJsonObject(holder) || !isJsonObject(holder["function"])) return holder;
  const { name } = holder["function"];
  return typeof name === "string" ? { ...holder, function: { ...holder["function"], name: rename(name) } } : holder;
}

/**
 * Returns eleven lower-case letters and digits that are derived from a text, the same in each process. Not for secrets: a
 * client can at most make names and ids of its own request collide.
 */
export const derivedText = (text: string): string =>
  (murmurHash(`0${text}`) * 2 ** 21 + (murmurHash(`1${text}`) >>> 11)).toString(36).padStart(11, "0");

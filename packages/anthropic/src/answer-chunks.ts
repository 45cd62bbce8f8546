import {
  type ByteStream,
  type ChatCompletionChunk,
  type FailureContext,
  type JsonObject,
  ProviderError,
} from "@tollgate/core/provider";
import { invalidAnswer, streamedEvents } from "./answer-events.ts";
import { AnswerReducer } from "./answer-reducer.ts";

const streamEndTimeoutMs = 1_000;

/** Maps the events of a complete answer to chunks. */
export function wholeChunks(events: readonly JsonObject[]): ChatCompletionChunk[] {
  const reducer = new AnswerReducer();
  return [...events.flatMap((event) => reducer.reduce(event)), ...reducer.end()];
}

/**
 * Maps a streamed answer to chunks as it arrives. Throws the error that the stream fails with, and a ProviderError of the
 * kind `invalid_response` if the stream ends before the stop reason.
 */
export async function* streamedChunks(
  stream: ByteStream,
  context: () => FailureContext,
): AsyncGenerator<ChatCompletionChunk> {
  const reducer = new AnswerReducer();
  const events = streamedEvents(stream, context);
  try {
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      yield* reducer.reduce(next.value);
      if (next.value["type"] !== "message_stop") continue;
      await waitForEnd(events);
      break;
    }
  } catch (cause) {
    if (!reducer.finished || !isInvalid(cause)) throw cause;
  } finally {
    stream.cancel();
  }
  if (!reducer.finished) throw invalidAnswer(context(), "a stream that was cut off");
  yield* reducer.end();
}

/** Once the answer is complete, a stream that is cut off is not a failure. */
const isInvalid = (cause: unknown): boolean => ProviderError.is(cause) && cause.failure === "invalid_response";

/** Waits a limited time for the end of the stream, because a connection can only be reused after a complete response. */
function waitForEnd(events: AsyncGenerator<JsonObject>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, streamEndTimeoutMs);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    events.next().then(finish, finish);
  });
}

import {
  type ByteStream,
  type ChatCompletionChunk,
  type FailureContext,
  type JsonObject,
  ProviderError,
} from "@tollgate/core/provider";
import { invalidAnswer, streamedEvents } from "./answer-events.ts";
import { AnswerReducer } from "./answer-reducer.ts";

const lastBytesWaitMs = 1_000;

/** The chunks of an answer that is there as a whole. */
export function wholeChunks(events: readonly JsonObject[]): ChatCompletionChunk[] {
  const reducer = new AnswerReducer();
  return [...events.flatMap((event) => reducer.take(event)), ...reducer.end()];
}

/**
 * The chunks of a streamed answer as they come. Throws what the stream fails with, and a ProviderError of the kind
 * `invalid_response` when it ends before the model has said why it stopped.
 */
export async function* streamedChunks(
  stream: ByteStream,
  context: () => FailureContext,
): AsyncGenerator<ChatCompletionChunk> {
  const reducer = new AnswerReducer();
  const events = streamedEvents(stream, context);
  try {
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      yield* reducer.take(next.value);
      if (next.value["type"] !== "message_stop") continue;
      await readRest(events);
      break;
    }
  } catch (cause) {
    if (!reducer.finished || !isInvalid(cause)) throw cause;
  } finally {
    stream.cancel();
  }
  if (!reducer.finished) throw invalidAnswer(context(), "a stream that was cut short");
  yield* reducer.end();
}

/** What is left of a stream after the whole answer may be cut short, which does not matter. */
const isInvalid = (cause: unknown): boolean => ProviderError.is(cause) && cause.failure === "invalid_response";

/** Waits for the end behind the last event, without which the connection cannot serve again, but not for long. */
function readRest(events: AsyncGenerator<JsonObject>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, lastBytesWaitMs);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    events.next().then(finish, finish);
  });
}

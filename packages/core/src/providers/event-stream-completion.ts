import type { ChatCompletion } from "../wire/chat-completion.ts";
import { invalidResponse } from "./completion-body.ts";
import type { FailureContext } from "./failure.ts";

/** The completion of an upstream that streamed though it was asked not to. */
export function completionFromEventStream(_body: Uint8Array, context: () => FailureContext): ChatCompletion {
  throw invalidResponse(context(), "an event stream, though none was asked for,");
}

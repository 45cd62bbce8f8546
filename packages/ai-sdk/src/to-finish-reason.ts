import { finishReasonOf, ProviderError } from "@tollgate/core/provider";

/** Why a model finished. Newer versions of the SDK have further reasons. */
export interface FinishReason {
  readonly unified: string;
  readonly raw: string | undefined;
}

/** Maps a finish reason to OpenAI's. Throws a ProviderError if the reason is an error, or the upstream ended too early. */
export function toFinishReason({ unified, raw }: FinishReason, hasCalls: boolean): string {
  switch (unified) {
    case "stop":
      return "stop";
    case "length":
      return "length";
    case "content-filter":
      return "content_filter";
    case "error":
      throw failed(raw);
    case "interrupted":
      throw endedEarly();
    // Tool calls that the upstream executed are not passed to the client, so they do not end its turn.
    case "tool-calls":
      return hasCalls ? "tool_calls" : "stop";
    default:
      return otherReason(raw, hasCalls);
  }
}

/** The SDK does not know the word of the upstream. */
function otherReason(raw: string | undefined, hasCalls: boolean): string {
  const reason = raw === undefined || raw === "other" ? "stop" : finishReasonOf(raw);
  if (reason === "interrupted") throw failed(raw);
  return reason === "stop" && hasCalls ? "tool_calls" : reason;
}

const failed = (raw: string | undefined) =>
  new ProviderError("failed", `The model ended with an error${inBrackets(raw)}. Try again, or use another target.`);

const inBrackets = (raw: string | undefined) => (raw !== undefined && /^[\w.-]{1,60}$/.test(raw) ? ` (${raw})` : "");

/** The error for an answer that its upstream did not finish. */
export const endedEarly = (): ProviderError =>
  new ProviderError(
    "invalid_response",
    "The model's answer ended without a finish reason. Try again, or use another target.",
  );

import type { Output } from "../../money/token-counter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { Held } from "../../request/request-stages.ts";

/** The model and the content of a request. */
type Asked = Pick<Held, "model" | "content">;

/** The output so far. */
type Seen = Pick<Output, "hidesReasoning">;

/**
 * True when the model may reason without showing it, so that the visible output says little about the cost: the model does
 * so, the request asks for it, or the output has shown it. A JSON answer shows nothing before its end.
 */
export function hidesReasoning({ model: { reasoning }, content }: Asked, seen: Seen): boolean {
  if (seen.hidesReasoning) return true;
  return (
    reasoning !== undefined && (content.chat.stream !== true || reasoning.visible !== true || content.hidesReasoning)
  );
}

/** True when a stream costs more than its client has seen when it leaves: the model hides reasoning, or the provider bills the whole answer. */
export function costsMoreThanSeen(held: Asked, { provider }: ModelTarget, seen: Seen): boolean {
  return provider.capabilities.cancel === "full-charge" || hidesReasoning(held, seen);
}

/** True when the stream of a client that has left is read on for its usage: its target was called, and it costs more than the client saw. */
export function isReadOn(
  held: Asked,
  { called, target, translator }: { readonly called: boolean; readonly target: ModelTarget; readonly translator: Seen },
  hiddenReasoning: "drain" | "estimate",
): boolean {
  if (!called) return false;
  return (
    target.provider.capabilities.cancel === "full-charge" ||
    (hiddenReasoning === "drain" && hidesReasoning(held, translator))
  );
}

/** The number of output tokens assumed for a duration of hidden reasoning. */
export const unseenTokens = (milliseconds: number, perSecond: number): number =>
  Math.ceil((Math.max(0, milliseconds) * perSecond) / 1_000);

import type { Output } from "../../money/token-counter.ts";
import type { ModelTarget } from "../../ports/model.ts";
import type { PaidCall } from "../../request/paid-call.ts";

/** A call and its model. */
type Asked = Pick<PaidCall, "model" | "call">;

/** The output so far. */
type Seen = Pick<Output, "hasHiddenReasoning">;

/**
 * True when the model may reason without showing it, so that the visible output says little about the cost: the model does
 * so, the request asks for it, or the output has shown it. A JSON answer shows nothing before its end.
 */
export function hasHiddenReasoning({ model: { reasoning }, call }: Asked, seen: Seen): boolean {
  if (seen.hasHiddenReasoning) return true;
  return reasoning !== undefined && (!call.stream || reasoning.visible !== true || call.hasHiddenReasoning);
}

/** True when a stream costs more than its client has seen when it leaves: the model hides reasoning, or the provider bills the whole answer. */
export function costsMoreThanSeen(asked: Asked, { provider }: ModelTarget, seen: Seen): boolean {
  return provider.capabilities.cancel === "full-charge" || hasHiddenReasoning(asked, seen);
}

/** True when the gateway keeps reading the stream of a client that has left, since its usage costs more than the client saw. */
export function mustDrainUsage(
  asked: Asked,
  { provider }: ModelTarget,
  seen: Seen,
  hiddenReasoning: "drain" | "estimate",
): boolean {
  if (provider.capabilities.cancel === "full-charge") return true;
  return hiddenReasoning === "drain" && hasHiddenReasoning(asked, seen);
}

/** The number of output tokens assumed for a duration of hidden reasoning. */
export const unseenTokens = (milliseconds: number, perSecond: number): number =>
  Math.ceil((Math.max(0, milliseconds) * perSecond) / 1_000);

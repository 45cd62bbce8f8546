import type { ModelTarget } from "../../ports/model.ts";
import type { Held } from "../../request/request-stages.ts";

/** What was asked of which model. */
type Asked = Pick<Held, "model" | "content">;

/**
 * True when the model may reason without showing it, so that what came of its answer says little about what it costs. An
 * answer in one piece shows nothing before its end.
 */
export function hidesReasoning({ model, content: { chat } }: Asked): boolean {
  return model.reasoning !== undefined && (chat.stream !== true || model.reasoning.visible !== true);
}

/** True when a client that leaves this stream has not seen all that it costs, since the model hides it or the provider bills it all. */
export function costsMoreThanSeen(held: Asked, { provider }: ModelTarget): boolean {
  return provider.capabilities.cancel === "full-charge" || hidesReasoning(held);
}

/** True when a stream whose client leaves is worth reading on for its usage: its target was called, and costs more than was seen. */
export function isReadOn(
  held: Asked,
  { called, target }: { readonly called: boolean; readonly target: ModelTarget },
  hiddenReasoning: "drain" | "estimate",
): boolean {
  if (!called) return false;
  return target.provider.capabilities.cancel === "full-charge" || (hiddenReasoning === "drain" && hidesReasoning(held));
}

/** Output tokens that are assumed for so many milliseconds of unseen work. */
export const unseenTokens = (milliseconds: number, perSecond: number): number =>
  Math.ceil((Math.max(0, milliseconds) * perSecond) / 1_000);

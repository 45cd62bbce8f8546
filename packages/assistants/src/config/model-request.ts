import type { ModelRequest } from "@tollgate/core/extension";
import type { ChatMessage } from "@tollgate/core/provider";
import type { Assistant } from "../definition/assistant.ts";

/** Whether a model call may use triggers: as `tool_choice` of the settings says, freely, or not at all. */
export type TriggerUse = "first" | "allowed" | "none";

/** Returns the request of a model call of an assistant. */
export function modelRequest(
  { model, settings, triggers }: Pick<Assistant, "model" | "settings" | "triggers">,
  messages: readonly ChatMessage[],
  use: TriggerUse,
): ModelRequest {
  const { tool_choice: firstChoice, ...parameters } = settings;
  const tools = [...triggers.values()].map(({ tool }) => tool);
  const choice = use === "none" ? "none" : use === "first" ? firstChoice : undefined;
  return {
    model,
    messages,
    ...parameters,
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length === 0 || choice === undefined ? {} : { tool_choice: choice }),
  };
}

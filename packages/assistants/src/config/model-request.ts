import type { ChatMessage } from "../../wire/chat-completion-request.ts";
import { withThoughts } from "../../wire/thoughts.ts";
import type { Assistant } from "../definition/assistant.ts";

/** Whether a model call may use triggers: as `tool_choice` of the settings says, freely, or not at all. */
export type TriggerUse = "first" | "allowed" | "none";

/** Returns the body of POST /chat/completions for a model call of an assistant. */
export function modelRequest(
  { model, settings, triggers }: Pick<Assistant, "model" | "settings" | "triggers">,
  messages: readonly ChatMessage[],
  { use, stream }: { readonly use: TriggerUse; readonly stream: boolean },
) {
  const { tool_choice: firstChoice, ...parameters } = settings;
  const tools = [...triggers.values()].map(({ tool }) => tool);
  const choice = use === "none" ? "none" : use === "first" ? firstChoice : undefined;
  return {
    model,
    messages: messages.map(withThoughts),
    ...parameters,
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length === 0 || choice === undefined ? {} : { tool_choice: choice }),
  };
}

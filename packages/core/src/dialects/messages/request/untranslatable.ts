import { GatewayError } from "../../../errors/gateway-error.ts";
import type { Model } from "../../../ports/model.ts";
import { hasNothing, untranslatableIn } from "./chat-blocks.ts";
import { forcedTools, isAccepted } from "./defined-tools.ts";
import type { MessagesRequest, MessagesSettings } from "./messages-schema.ts";

/**
 * Returns why a request cannot be translated to a chat completion: a block without a counterpart, or a choice of a tool
 * that only targets of this dialect know. Undefined if it can.
 */
export function whyUntranslatable(request: MessagesRequest): GatewayError | undefined {
  const param = forcedTools(request).length > 0 ? "tool_choice" : blockOf(request);
  if (param === undefined) return undefined;
  return new GatewayError(
    "unsupported_parameter",
    `\`${param}\` is not supported by this model. Leave it out, or use a model that is served by Anthropic's API.`,
    { param },
  );
}

function blockOf({ messages }: MessagesRequest): string | undefined {
  for (const [index, { content }] of messages.entries()) {
    const path = untranslatableIn(content, `messages.${index}.content`);
    if (path !== undefined) return path;
  }
  // Upstreams refuse a request without messages.
  return messages.every(({ content }) => hasNothing(content)) ? "messages.0.content.0" : undefined;
}

/** Throws 400 for a choice of tools that the upstream executes, unless every target of the model has a price for one. */
export function requirePriced(request: MessagesSettings, model: Model | undefined): void {
  const forced = forcedTools(request);
  const targets = model?.targets ?? [];
  if (forced.length === 0 || targets.every((target) => forced.some((tool) => isAccepted(tool, target, true)))) return;
  throw new GatewayError(
    "unsupported_value",
    "`tool_choice` asks for a tool that this service does not offer. Choose another tool, or leave it out.",
    { param: "tool_choice" },
  );
}

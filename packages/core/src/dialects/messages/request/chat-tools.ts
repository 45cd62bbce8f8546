import type { ChatCompletionRequest, Tool } from "../../../wire/chat-completion-request.ts";
import { isJsonObject } from "../../../wire/json.ts";
import { cacheMark } from "./chat-blocks.ts";
import type { MessagesTool } from "./defined-tools.ts";
import { isCustomType, type MessagesRequest } from "./messages-schema.ts";

/** The members of a chat completion for the tools of a request. */
type ChatTools = Pick<ChatCompletionRequest, "tools" | "tool_choice"> & { readonly parallel_tool_calls?: false };

/** Maps the tools that have a schema to functions. Others are left out, and the choice with them if no tool is left. */
export function toChatTools({ tools, tool_choice: choice }: Pick<MessagesRequest, "tools" | "tool_choice">): ChatTools {
  const functions = (tools ?? []).flatMap(toFunction);
  if (functions.length === 0) return {};
  return {
    tools: functions,
    ...(choice == null ? {} : { tool_choice: toChoice(choice) }),
    ...(choice?.disable_parallel_tool_use === true ? { parallel_tool_calls: false as const } : {}),
  };
}

function toFunction(tool: MessagesTool): readonly Tool[] {
  const { name, description, input_schema: parameters } = tool;
  if (!isCustomType(tool["type"]) || typeof name !== "string" || !isJsonObject(parameters)) return [];
  const declared = {
    name,
    ...(typeof description === "string" ? { description } : {}),
    parameters,
    ...(tool["strict"] === true ? { strict: true } : {}),
  };
  return [{ type: "function", function: declared, ...cacheMark(tool) }];
}

function toChoice({ type, name }: NonNullable<MessagesRequest["tool_choice"]>): ChatCompletionRequest["tool_choice"] {
  if (type === "tool") return { type: "function", function: { name: name ?? "" } };
  return type === "any" ? "required" : type;
}

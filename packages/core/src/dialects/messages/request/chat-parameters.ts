import type { ChatCompletionRequest, ChatParameters, Tool } from "../../../wire/chat-completion-request.ts";
import { isJsonObject } from "../../../wire/json.ts";
import { cacheMark } from "./chat-blocks.ts";
import { toChatMessages } from "./chat-messages.ts";
import type { MessagesTool } from "./defined-tools.ts";
import { isCustomType, type MessagesRequest, type MessagesSettings } from "./messages-schema.ts";

/** The settings that both forms of the request have, with the numbers of the given one. */
function toSettings(request: MessagesSettings, effort: string | undefined) {
  const { model, stream, max_tokens: most, temperature, top_p: topP, top_k: topK, stop_sequences: stop } = request;
  const format = request.output_config?.format ?? request.output_format;
  return {
    model,
    ...(stream == null ? {} : { stream }),
    ...(most == null ? {} : { max_tokens: most }),
    ...(temperature == null ? {} : { temperature }),
    ...(topP == null ? {} : { top_p: topP }),
    // Some chat upstreams accept it; a provider lists it in `refusedFields` if its upstream does not.
    ...(topK == null ? {} : { top_k: topK }),
    ...(stop == null || stop.length === 0 ? {} : { stop }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(format == null
      ? {}
      : {
          response_format: {
            type: "json_schema",
            json_schema: { name: "answer", strict: true, schema: format.schema },
          } as const,
        }),
  };
}

/**
 * Returns the settings of a request as those of a chat completion, for checks, bounds and reports. `user` names the end
 * user. It is not sent to targets that receive a chat completion, since their limits on its length differ.
 */
export function toChatParameters(request: MessagesSettings, effort: string | undefined): ChatParameters {
  const user = request.metadata?.user_id;
  return {
    ...toSettings(request, effort),
    ...(request.tools != null && request.tools.length > 0 ? { tools: [...request.tools] } : {}),
    ...(user == null ? {} : { user }),
  };
}

/** Maps a request, whose numbers may be exact, to a chat completion with the effort that was found for its model. */
export const toChatRequest = (request: MessagesRequest, effort: string | undefined): ChatCompletionRequest => ({
  ...toSettings(request, effort),
  messages: [...toChatMessages(request)],
  ...toChatTools(request),
  ...(request["cache_control"] == null ? {} : { cache_control: request["cache_control"] }),
});

/** The members of a chat completion for the tools of a request. */
type ChatTools = Pick<ChatCompletionRequest, "tools" | "tool_choice"> & { readonly parallel_tool_calls?: false };

/** Maps the tools that have a schema to functions. Others are left out, and the choice with them if no tool is left. */
function toChatTools({ tools, tool_choice: choice }: Pick<MessagesRequest, "tools" | "tool_choice">): ChatTools {
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

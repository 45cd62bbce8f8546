import { type ChatCompletionRequest, ProviderError, type Tool } from "@tollgate/core/provider";
import { isJsonObject } from "../json-object.ts";
import { acts, areOfAgent, readNamedFile } from "./agent-tools.ts";
import type { DraftCall } from "./draft.ts";
import { hasWords, readHints } from "./hints.ts";
import { lastUserText, latestToolResults } from "./message-text.ts";
import { sampleSchema } from "./schema-sample.ts";

/**
 * Returns the tool calls for a request: the tool that `tool_choice` names, or else the tools that the last user message
 * names, or else the first tool. A coding agent runs what it is told, so it only gets a call that reads a file. Returns
 * none if the last turn has tool results or `tool_choice` is "none".
 */
export function draftCalls(request: ChatCompletionRequest): readonly DraftCall[] {
  const tools = request.tools ?? [];
  if (request.tool_choice === "none" || tools.length === 0) return [];
  if (latestToolResults(request.messages).length > 0) return [];
  const text = lastUserText(request.messages);
  const requested = requestedName(request.tool_choice);
  if (requested !== undefined) {
    const tool = findTool(tools, requested);
    return acts(tool) ? [] : [draftCall(tool, text)];
  }
  if (areOfAgent(tools)) return readNamedFile(tools, text);
  return chooseTools(request, tools, text).map((tool) => draftCall(tool, text));
}

function chooseTools(request: ChatCompletionRequest, tools: readonly Tool[], text: string): readonly Tool[] {
  const named = tools.filter((tool) => hasWords(text, tool.function.name));
  const chosen = named.length > 0 ? named : tools.slice(0, 1);
  return request["parallel_tool_calls"] === false ? chosen.slice(0, 1) : chosen;
}

function requestedName(choice: unknown): unknown {
  if (!isJsonObject(choice) || !isJsonObject(choice["function"])) return undefined;
  return choice["function"]["name"];
}

function findTool(tools: readonly Tool[], name: unknown): Tool {
  const tool = tools.find((each) => each.function.name === name);
  if (tool !== undefined) return tool;
  const message = `tool_choice names ${JSON.stringify(name)}, which is not one of the tools. Name one of them.`;
  throw new ProviderError("rejected", message, { status: 400, clientMessage: message, param: "tool_choice" });
}

function draftCall(tool: Tool, text: string): DraftCall {
  const { name, parameters } = tool.function;
  const schema = "type" in parameters ? parameters : { type: "object", ...parameters };
  return { name, arguments: JSON.stringify(sampleSchema(schema, readHints(text, name))) };
}

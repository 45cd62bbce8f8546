import type { ModelTarget } from "../../../ports/model.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { runsAtClient } from "./client-tools.ts";
import type { ResponsesRequest } from "./request-schema.ts";

/** Types of tools that the client defines and runs. A namespace contains only such tools. */
const ownTools: ReadonlySet<unknown> = new Set(["function", "custom", "namespace"]);

/** True for a tool that the upstream runs, or that is unknown. It may cost more than tokens. */
const isHosted = (tool: JsonObject): boolean => !ownTools.has(tool["type"]) && !runsAtClient(tool);

/** Returns true for a tool that a target may get: one that the client runs, or one that the host prices there. */
export function isAllowedAt({ provider }: ModelTarget, tool: JsonObject): boolean {
  return !isHosted(tool) || provider.capabilities.pricedFields.includes(String(tool["type"]));
}

/** Returns true for a tool that a chat completion can have, as a function. */
export const isTranslatable = (tool: JsonObject): boolean =>
  tool["type"] === "function" || tool["type"] === "custom" || runsAtClient(tool);

/** Returns the tools that an item of the input adds to those of the request. */
export const toolsOfItem = ({ type, tools }: JsonObject): readonly JsonObject[] =>
  Array.isArray(tools) && type !== "mcp_list_tools" ? tools.filter(isJsonObject) : [];

/** Returns an item of the input without the tools that a target may not get, also inside of a namespace. */
export function withAllowedTools(item: JsonObject, target: ModelTarget): JsonObject {
  const all = toolsOfItem(item);
  const tools = all.filter((tool) => isAllowedAt(target, tool)).map((tool) => withAllowedTools(tool, target));
  return tools.length === all.length && tools.every((tool, at) => tool === all[at]) ? item : { ...item, tools };
}

/**
 * Returns the types of hosted tools that cannot be left out of a request, with the path of each: those that `tool_choice`
 * demands, and those inside of a namespace. Only a model whose targets all price them can serve it.
 */
export function demandedTools({ tools, tool_choice: choice }: ResponsesRequest): ReadonlyMap<string, string> {
  const demanded = new Map<string, string>();
  for (const [at, tool] of (tools ?? []).entries()) {
    if (tool.type === "namespace") addHosted(demanded, tool["tools"], `tools.${at}.tools`);
  }
  if (isJsonObject(choice)) addChoice(demanded, choice, tools ?? []);
  return demanded;
}

/** The types of `tool_choice` that name no hosted tool. */
const plainChoices: ReadonlySet<unknown> = new Set(["function", "custom", "allowed_tools"]);

function addChoice(demanded: Map<string, string>, choice: JsonObject, tools: readonly JsonObject[]): void {
  const { type, mode, tools: allowed } = choice;
  const isOfHosted = (chosen: JsonObject): boolean =>
    !tools.some((tool) => tool["type"] === chosen["type"] && runsAtClient(tool)) && isHosted(chosen);
  if (!plainChoices.has(type)) {
    if (isOfHosted(choice)) demanded.set(String(type), "tool_choice");
  } else if (type === "allowed_tools" && mode === "required" && Array.isArray(allowed)) {
    if (allowed.every((tool) => isJsonObject(tool) && isOfHosted(tool))) {
      addHosted(demanded, allowed, "tool_choice.tools");
    }
  }
}

function addHosted(demanded: Map<string, string>, tools: unknown, param: string): void {
  if (!Array.isArray(tools)) return;
  for (const tool of tools) {
    if (!isJsonObject(tool)) continue;
    if (isHosted(tool)) demanded.set(String(tool["type"]), param);
    else if (tool["type"] === "namespace") addHosted(demanded, tool["tools"], param);
  }
}

import type { ModelTarget } from "../../../ports/model.ts";
import { isJsonObject } from "../../../wire/json.ts";
import type { ResponsesRequest, ResponseTool } from "./request-schema.ts";

/** Types of tools that the client runs itself. A namespace contains only such tools. */
const clientTools: ReadonlySet<unknown> = new Set(["function", "custom", "namespace"]);

/** True for a tool that the upstream runs, or that is unknown. It may cost more than tokens. */
export const isHosted = (type: unknown): boolean => !clientTools.has(type);

/** Returns true for a tool that a target may get: one that the client runs, or one that the host prices there. */
export function isAllowedAt({ provider }: ModelTarget, { type }: ResponseTool): boolean {
  return !isHosted(type) || provider.capabilities.pricedFields.includes(type);
}

/** Returns true for a tool that a chat completion can have, as a function. */
export const isTranslatable = ({ type }: ResponseTool): boolean => type === "function" || type === "custom";

/**
 * Returns the types of hosted tools that cannot be left out of a request, with the path of each: those that `tool_choice`
 * demands, and those inside of a namespace or an input item. Only a model whose targets all price them can serve it.
 */
export function demandedTools({ tools, tool_choice: choice, input }: ResponsesRequest): ReadonlyMap<string, string> {
  const demanded = new Map<string, string>();
  for (const [at, tool] of (tools ?? []).entries()) {
    if (tool.type === "namespace") addHosted(demanded, tool["tools"], `tools.${at}.tools`);
  }
  if (isJsonObject(choice)) addChoice(demanded, choice);
  if (!Array.isArray(input)) return demanded;
  for (const [at, item] of input.entries()) {
    if (item["type"] !== "mcp_list_tools") addHosted(demanded, item["tools"], `input.${at}.tools`);
  }
  return demanded;
}

/** The types of `tool_choice` that name no hosted tool. */
const plainChoices: ReadonlySet<unknown> = new Set(["function", "custom", "allowed_tools"]);

function addChoice(demanded: Map<string, string>, { type, mode, tools }: { readonly [key: string]: unknown }): void {
  if (!plainChoices.has(type)) demanded.set(String(type), "tool_choice");
  else if (type === "allowed_tools" && mode === "required" && Array.isArray(tools)) {
    if (tools.every((tool) => isJsonObject(tool) && isHosted(tool["type"]))) {
      addHosted(demanded, tools, "tool_choice.tools");
    }
  }
}

function addHosted(demanded: Map<string, string>, tools: unknown, param: string): void {
  if (!Array.isArray(tools)) return;
  for (const tool of tools) {
    const type = isJsonObject(tool) ? tool["type"] : undefined;
    if (isHosted(type)) demanded.set(String(type), param);
    else if (isJsonObject(tool) && type === "namespace") addHosted(demanded, tool["tools"], param);
  }
}

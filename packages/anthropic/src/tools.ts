import { isPlainObject } from "@tollgate/core/internal";
import type { ChatCompletionRequest, Tool } from "@tollgate/core/provider";
import { cacheControl } from "./content-blocks.ts";
import type { MessagesRequest, ToolChoice } from "./messages-api.ts";
import type { ModelLimits } from "./model-limits.ts";
import { rejected } from "./rejected.ts";
import type { StrictBudget } from "./strict-schema.ts";

/**
 * Maps functions to tools, and the tool choice, which is absent for a request without tools. A choice that forces a call is left to a model that refuses it. Throws a ProviderError of the kind
 * `rejected` for a tool choice that the API does not support.
 */
export function toTools(
  request: ChatCompletionRequest,
  { refusesForcedTools }: ModelLimits,
  budget: StrictBudget,
): Pick<MessagesRequest, "tools" | "tool_choice"> {
  const wanted = toChoice(request.tool_choice);
  const { tools } = request;
  if (tools == null || tools.length === 0) return {};
  const choice: ToolChoice | undefined = refusesForcedTools && isForced(wanted) ? { type: "auto" } : wanted;
  return { tools: toClientTools(tools, budget), tool_choice: toSingle(choice, request["parallel_tool_calls"]) };
}

/** True for a choice with which the model must call a tool. */
export const isForced = (choice: ToolChoice | undefined): boolean => choice?.type === "any" || choice?.type === "tool";

/** A tool that the API would not accept as strict is declared without it; those after it may still be strict. */
function toClientTools(tools: readonly Tool[], budget: StrictBudget): MessagesRequest["tools"] {
  return tools.map((tool) => {
    const { name, description, parameters } = tool.function;
    const schema = { type: "object", ...parameters };
    const strictSchema = tool.function["strict"] === true ? budget.addTool(schema) : undefined;
    return {
      name,
      description: description ?? undefined,
      input_schema: strictSchema ?? schema,
      ...(strictSchema === undefined ? {} : { strict: true }),
      ...cacheControl(tool),
    };
  });
}

function toChoice(choice: ChatCompletionRequest["tool_choice"]): ToolChoice | undefined {
  if (choice == null) return undefined;
  if (choice === "auto" || choice === "none") return { type: choice };
  if (choice === "required") return { type: "any" };
  const named = isPlainObject(choice) && choice["type"] === "function" ? choice["function"] : undefined;
  const name = isPlainObject(named) ? named["name"] : undefined;
  if (typeof name === "string") return { type: "tool", name };
  throw rejected("tool_choice", 'must be "auto", "none", "required" or a function by name for this model.');
}

/** In the Messages API, `parallel_tool_calls: false` is a member of the tool choice. */
function toSingle(choice: ToolChoice | undefined, parallel: unknown): ToolChoice | undefined {
  if (parallel !== false || choice?.type === "none") return choice;
  return { ...(choice ?? { type: "auto" }), disable_parallel_tool_use: true };
}

import { GatewayError } from "../../../errors/gateway-error.ts";
import type { Model, ModelTarget } from "../../../ports/model.ts";
import type { JsonObject } from "../../../wire/json.ts";
import { isCustomType, type MessagesSettings } from "./messages-schema.ts";

/**
 * Tools that Anthropic defines and clients execute, and the search in the tools of the request. They cost the tokens of
 * the request alone.
 */
const clientTools =
  /^(?:bash|text_editor|computer|memory|browser_toolset|computer_toolset|tool_search_tool_\w+?)(?:_\d{8})?$/;

/** The name of a kind of tools, such as "web_search" for the type "web_search_20250305". */
const kindOf = (type: string): string => type.replace(/_\d{8}$/, "");

/**
 * Returns the kind of a tool that the upstream executes, and charges for. Undefined for any other tool.
 * Follows https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview
 */
function hostedKind({ type }: JsonObject): string | undefined {
  return typeof type !== "string" || isCustomType(type) || clientTools.test(type) ? undefined : kindOf(type);
}

/** True for a tool that a target accepts: any for one that speaks the dialect, if the host has priced it. */
export function isAccepted(tool: JsonObject, { provider }: ModelTarget, isNative: boolean): boolean {
  if (!isNative) return isCustomType(tool["type"]);
  const kind = hostedKind(tool);
  return kind === undefined || provider.capabilities.pricedFields.includes(kind);
}

/** The names of the tools that a target does not accept. */
export const leftOut = (tools: readonly JsonObject[], target: ModelTarget, isNative: boolean): readonly string[] =>
  tools.filter((tool) => !isAccepted(tool, target, isNative)).map(({ type }) => kindOf(String(type)));

/** Returns the tools of which the request makes the model call one, if none of them has a schema. */
export function forcedTools({ tools, tool_choice: choice }: MessagesSettings): readonly JsonObject[] {
  const known = tools ?? [];
  const forced =
    choice?.type === "any" ? known : choice?.type === "tool" ? known.filter(({ name }) => name === choice.name) : [];
  return forced.some(({ type }) => isCustomType(type)) ? [] : forced;
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

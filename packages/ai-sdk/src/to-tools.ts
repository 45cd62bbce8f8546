import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { Tool } from "@tollgate/core/provider";
import { isJsonObject } from "./json-object.ts";
import { refusal } from "./refusal.ts";

/** Maps the functions of a request to tools of a language model. */
export function toTools(tools: readonly Tool[] | null | undefined): Pick<LanguageModelV3CallOptions, "tools"> {
  if (tools == null || tools.length === 0) return {};
  return {
    tools: tools.map(({ function: { name, description, parameters, strict } }) => ({
      type: "function",
      name,
      inputSchema: parameters,
      ...(description == null ? {} : { description }),
      ...(typeof strict === "boolean" ? { strict } : {}),
    })),
  };
}

/** Maps a tool choice. Throws `rejected` unless it is "auto", "none", "required" or one function by name. */
export function toToolChoice(choice: unknown): Pick<LanguageModelV3CallOptions, "toolChoice"> {
  if (choice == null) return {};
  if (choice === "auto" || choice === "none" || choice === "required") return { toolChoice: { type: choice } };
  const called = isJsonObject(choice) && choice["type"] === "function" ? choice["function"] : undefined;
  const name = isJsonObject(called) ? called["name"] : undefined;
  if (typeof name === "string") return { toolChoice: { type: "tool", toolName: name } };
  throw refusal('tool_choice must be "auto", "none", "required" or one function by name.', "tool_choice");
}

import type { ChatCompletionRequest, JsonObject, Tool } from "@tollgate/core/provider";
import type { FunctionCallingConfig, FunctionDeclaration, GeminiRequest } from "./gemini-request.ts";
import { objectAt, objectsOf, textAt } from "./json.ts";
import { toGeminiSchema } from "./json-schema.ts";
import { refused } from "./refused.ts";

/** Maps the tools of a request and its tool choice. */
export function mapTools({
  tools,
  tool_choice: choice,
}: ChatCompletionRequest): Pick<GeminiRequest, "tools" | "toolConfig"> {
  if (tools == null || tools.length === 0) {
    if (choice == null || choice === "auto" || choice === "none") return {};
    throw refused("tool_choice", "`tool_choice` requires a tool, but the request has none. Send `tools` as well.");
  }
  return {
    tools: [{ functionDeclarations: tools.map(toDeclaration) }],
    ...(choice == null ? {} : { toolConfig: { functionCallingConfig: toConfig(choice) } }),
  };
}

function toDeclaration({ function: { name, description, parameters } }: Tool): FunctionDeclaration {
  return {
    name,
    ...(description == null ? {} : { description }),
    ...(hasNoParameters(parameters) ? {} : { parametersJsonSchema: toGeminiSchema(parameters) }),
  };
}

/** The API rejects the schema of an empty object, and accepts a function without parameters instead. */
const hasNoParameters = (parameters: JsonObject): boolean =>
  Object.keys(parameters).every((name) =>
    ["type", "properties", "required", "$schema", "additionalProperties"].includes(name),
  ) &&
  Object.keys(objectAt(parameters, "properties") ?? {}).length === 0 &&
  (parameters["additionalProperties"] ?? false) === false;

const modes: ReadonlyMap<unknown, FunctionCallingConfig["mode"]> = new Map([
  ["auto", "AUTO"],
  ["required", "ANY"],
  ["none", "NONE"],
]);

function toConfig(choice: string | JsonObject): FunctionCallingConfig {
  const config = typeof choice === "string" ? toMode(choice) : toAllowed(choice);
  if (config !== undefined) return config;
  throw refused(
    "tool_choice",
    '`tool_choice` must be "auto", "none", "required", or an object that names functions, such as {"type":"function","function":{"name":"f"}}.',
  );
}

function toMode(choice: string): FunctionCallingConfig | undefined {
  const mode = modes.get(choice);
  return mode && { mode };
}

function toAllowed(choice: JsonObject): FunctionCallingConfig | undefined {
  if (choice["type"] === "function") return toNames("ANY", [choice]);
  const allowed = objectAt(choice, "allowed_tools");
  if (choice["type"] !== "allowed_tools" || allowed === undefined) return undefined;
  // AUTO does not accept function names; VALIDATED is AUTO with names.
  return toNames(allowed["mode"] === "required" ? "ANY" : "VALIDATED", objectsOf(allowed["tools"]));
}

function toNames(mode: FunctionCallingConfig["mode"], tools: readonly JsonObject[]): FunctionCallingConfig | undefined {
  const names = tools.flatMap((tool) => textAt(objectAt(tool, "function") ?? {}, "name") ?? []);
  return names.length === 0 || names.length < tools.length ? undefined : { mode, allowedFunctionNames: names };
}

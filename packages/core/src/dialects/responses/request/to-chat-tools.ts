import type { Tool } from "../../../wire/chat-completion-request.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import {
  type CustomTool,
  type FunctionTool,
  isCustomTool,
  isFunctionTool,
  type ResponsesRequest,
  type ResponseTool,
} from "./request-schema.ts";

/** The tools of a chat completion and how the model may use them. Undefined members are left out. */
export interface ChatTools {
  readonly tools: readonly Tool[] | undefined;
  readonly toolChoice: string | JsonObject | undefined;
}

/**
 * Translates functions and custom tools to functions of a chat completion, and leaves out all other tools. A request whose
 * tools are all left out has no `tool_choice` either. Follows https://platform.openai.com/docs/api-reference/chat/create
 */
export function toChatTools({ tools, tool_choice: choice }: ResponsesRequest): ChatTools {
  const allowed = allowedBy(choice);
  const kept = (tools ?? []).filter((tool) => allowed === undefined || allowed.has(nameOf(tool)));
  const functions = kept.flatMap(toFunction);
  if (functions.length === 0) return { tools: undefined, toolChoice: undefined };
  return { tools: functions, toolChoice: toChatChoice(choice) };
}

function toFunction(tool: ResponseTool): Tool[] {
  if (isFunctionTool(tool)) return [fromFunction(tool)];
  return isCustomTool(tool) ? [fromCustom(tool)] : [];
}

function fromFunction({ name, description, parameters, strict }: FunctionTool): Tool {
  const described = description == null ? {} : { description };
  const schema = parameters ?? { type: "object", properties: {} };
  return {
    type: "function",
    function: { name, ...described, parameters: schema, ...(strict == null ? {} : { strict }) },
  };
}

/** A custom tool takes a text, which becomes the only argument of a function. */
function fromCustom({ name, description, format }: CustomTool): Tool {
  const text = [description, describeGrammar(format)].filter((each) => each != null && each !== "").join("\n\n");
  const parameters = {
    type: "object",
    properties: { input: { type: "string", description: "The input of the tool." } },
    required: ["input"],
    additionalProperties: false,
  };
  return { type: "function", function: { name, ...(text === "" ? {} : { description: text }), parameters } };
}

function describeGrammar(format: JsonObject | null | undefined): string | undefined {
  if (format?.["type"] !== "grammar") return undefined;
  return `The input must follow this grammar (${String(format["syntax"])}):\n${String(format["definition"])}`;
}

function toChatChoice(choice: ResponsesRequest["tool_choice"]): string | JsonObject | undefined {
  if (choice == null) return undefined;
  if (typeof choice === "string") return choice;
  const { type, name, mode } = choice;
  if (type === "allowed_tools") return mode === "required" ? "required" : "auto";
  return { type: "function", function: { name } };
}

/** Returns the names of the only tools that the model may call, or undefined if it may call all of them. */
function allowedBy(choice: ResponsesRequest["tool_choice"]): ReadonlySet<unknown> | undefined {
  if (!isJsonObject(choice) || choice["type"] !== "allowed_tools" || !Array.isArray(choice["tools"])) return undefined;
  return new Set(choice["tools"].map((tool) => (isJsonObject(tool) ? tool["name"] : undefined)));
}

const nameOf = (tool: ResponseTool): unknown => tool["name"];

/** Returns the names of the custom tools of a request, whose calls are translated back. */
export const customToolNames = ({ tools }: ResponsesRequest): ReadonlySet<string> =>
  new Set((tools ?? []).filter(isCustomTool).map(({ name }) => name));

/** Returns the text that a model gave a custom tool, from the arguments of the function that stands for it. */
export function customInput(args: string): string {
  try {
    const parsed: unknown = JSON.parse(args);
    return isJsonObject(parsed) && typeof parsed["input"] === "string" ? parsed["input"] : args;
  } catch {
    return args;
  }
}

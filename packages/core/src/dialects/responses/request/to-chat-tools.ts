import type { Tool } from "../../../wire/chat-completion-request.ts";
import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { clientTools, runsAtClient } from "./client-tools.ts";
import { isTranslatable, toolsOfItem } from "./hosted-tools.ts";
import { isCustomTool, isFunctionTool, type ResponsesRequest, type TypedObject } from "./request-schema.ts";

/**
 * Translates functions, custom tools and the tools that a client runs itself to functions of a chat completion, and leaves out
 * all other tools. A request whose tools are all left out has no choice of a tool either. Follows
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export function toChatTools(request: ResponsesRequest) {
  const { tool_choice: choice, parallel_tool_calls: isParallel } = request;
  const allowed = allowedBy(choice);
  const kept = offeredTools(request).filter((tool) => allowed === undefined || allowed.has(nameOf(tool)));
  // The last definition of a name counts.
  const functions = new Map(
    toSorted(kept)
      .flatMap(toFunction)
      .map((each) => [each.function.name, each]),
  );
  if (functions.size === 0) return {};
  return {
    tools: [...functions.values()],
    ...(choice == null ? {} : { tool_choice: toChatChoice(choice) }),
    ...(isParallel == null ? {} : { parallel_tool_calls: isParallel }),
  };
}

/** Returns all tools of a request: its own, and those that items of its input add. */
export function offeredTools({ tools, input }: ResponsesRequest): readonly TypedObject[] {
  const added = Array.isArray(input) ? input.flatMap(toolsOfItem).filter(isTool) : [];
  return added.length === 0 ? (tools ?? []) : [...(tools ?? []), ...added];
}

const isTool = (tool: JsonObject): tool is TypedObject =>
  typeof tool["type"] === "string" && (!ownTypes.has(tool["type"]) || typeof tool["name"] === "string");
const ownTypes: ReadonlySet<string> = new Set(["function", "custom"]);

/** A custom tool takes a text, which becomes the only argument of a function. */
const textParameters = {
  type: "object",
  properties: { input: { type: "string", description: "The input of the tool." } },
  required: ["input"],
  additionalProperties: false,
};

function toFunction(tool: TypedObject): Tool[] {
  if (isFunctionTool(tool)) {
    const { name, description, parameters, strict } = tool;
    const schema = parameters ?? { type: "object", properties: {} };
    const described = description == null ? {} : { description };
    return [
      {
        type: "function",
        function: { name, ...described, parameters: schema, ...(strict == null ? {} : { strict }) },
      },
    ];
  }
  if (isCustomTool(tool)) {
    const { name, description, format } = tool;
    const text = [description, describeGrammar(format)].filter((each) => each != null && each !== "").join("\n\n");
    const described = text === "" ? {} : { description: text };
    return [{ type: "function", function: { name, ...described, parameters: textParameters } }];
  }
  const defined = runsAtClient(tool) ? clientTools.get(tool.type) : undefined;
  if (defined === undefined) return [];
  // A search says what it takes; the other tools take what OpenAI defines.
  const { description, parameters } = tool;
  const declared = {
    name: tool.type,
    description: typeof description === "string" ? description : defined.description,
    parameters: isJsonObject(parameters) ? parameters : defined.parameters,
  };
  return [{ type: "function", function: declared }];
}

function describeGrammar(format: JsonObject | null | undefined): string | undefined {
  if (format?.["type"] !== "grammar") return undefined;
  return `The input must follow this grammar (${String(format["syntax"])}):\n${String(format["definition"])}`;
}

function toChatChoice(choice: NonNullable<ResponsesRequest["tool_choice"]>): string | JsonObject {
  if (typeof choice === "string") return choice;
  const { type, mode } = choice;
  if (type === "allowed_tools") return mode === "required" ? "required" : "auto";
  return { type: "function", function: { name: nameOf(choice) } };
}

/** Returns the names of the only tools that the model may call, or undefined if it may call all of them. */
function allowedBy(choice: ResponsesRequest["tool_choice"]): ReadonlySet<unknown> | undefined {
  if (!isJsonObject(choice) || choice["type"] !== "allowed_tools" || !Array.isArray(choice["tools"])) return undefined;
  return new Set(choice["tools"].filter(isJsonObject).map(nameOf));
}

/** A tool that OpenAI defines has the name of its type. */
const nameOf = ({ name, type }: JsonObject): unknown => name ?? type;

/**
 * Returns the names of the functions that stand for other tools, whose calls are translated back: each with the type of its
 * tool, such as "custom". A function of the client hides a tool that OpenAI defines under the same name.
 */
export function otherTools(request: ResponsesRequest): ReadonlyMap<string, string> {
  const types = toSorted(offeredTools(request))
    .filter(isTranslatable)
    .map((tool): [string, string] => [String(nameOf(tool)), tool.type]);
  return new Map([...new Map(types)].filter(([, type]) => type !== "function"));
}

/** Puts the tools that OpenAI defines first, so that those of the client with the same name replace them. */
const toSorted = (tools: readonly TypedObject[]): readonly TypedObject[] => [
  ...tools.filter(runsAtClient),
  ...tools.filter((tool) => !runsAtClient(tool)),
];

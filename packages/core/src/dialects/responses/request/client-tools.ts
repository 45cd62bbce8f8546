import { isJsonObject, isText, type JsonObject } from "../../../wire/json.ts";

/**
 * A tool that OpenAI defines and the client runs. In a chat completion it is a function with the name of its type, whose calls
 * become items of the types that the client expects.
 */
interface ClientTool {
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /** The prefix of the ids of its calls. */
  readonly prefix: string;
  readonly callType: string;
  readonly outputType: string;
  /** Returns the arguments of the function for the item of a call. */
  argumentsOf(call: JsonObject): unknown;
  /** Returns the item of a call for arguments of the model, which may be anything. */
  itemOf(
    args: JsonObject,
    head: {
      readonly id: string;
      readonly call_id: string;
      readonly status: "in_progress" | "completed" | "incomplete";
    },
  ): JsonObject;
  /** Returns the text of the item of a result. */
  textOf(output: JsonObject): string;
}

const text = { type: "string" };
const milliseconds = { type: "integer", description: "The time limit in milliseconds." };
const object = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);
const members = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Follows https://platform.openai.com/docs/guides/tools-apply-patch */
const applyPatch = {
  description:
    "Creates, updates or deletes one file. The `diff` of an update is a V4A diff: hunks that begin with a line `@@`, whose lines begin with a space, `-` or `+`. That of a new file has each of its lines after a `+`.",
  parameters: object(
    {
      operation: object(
        {
          type: { type: "string", enum: ["create_file", "update_file", "delete_file"] },
          path: text,
          diff: { type: "string", description: "Absent for delete_file." },
        },
        ["type", "path"],
      ),
    },
    ["operation"],
  ),
  prefix: "apc",
  callType: "apply_patch_call",
  outputType: "apply_patch_call_output",
  argumentsOf: ({ operation }) => ({ operation: members(operation) }),
  itemOf: ({ operation: given }, head) => {
    const { type, path: wanted, diff: wantedDiff } = members(given);
    const [path, diff] = [textOr(wanted, ""), textOr(wantedDiff, "")];
    const kind = type === "create_file" ? type : "update_file";
    const operation = type === "delete_file" ? ({ type, path } as const) : ({ type: kind, path, diff } as const);
    // A patch that was cut off is not complete, and has no other status.
    const status = head.status === "completed" ? head.status : ("in_progress" as const);
    return { type: "apply_patch_call" as const, ...head, status, operation };
  },
  textOf: ({ status, output }) => [status, output].filter(isText).join(": "),
} satisfies ClientTool;

/** Follows https://platform.openai.com/docs/guides/tools-local-shell */
const localShell = {
  description: "Runs a command on the machine of the user, and returns its output.",
  parameters: object(
    {
      command: { type: "array", items: text, description: "The program and its arguments." },
      timeout_ms: milliseconds,
      working_directory: text,
    },
    ["command"],
  ),
  prefix: "lsh",
  callType: "local_shell_call",
  outputType: "local_shell_call_output",
  argumentsOf: ({ action }) => {
    const { command, timeout_ms: limit, working_directory: directory } = members(action);
    return {
      command: texts(command),
      ...(limit == null ? {} : { timeout_ms: limit }),
      ...(directory == null ? {} : { working_directory: directory }),
    };
  },
  itemOf: ({ command, timeout_ms: limit, working_directory: directory }, head) => ({
    type: "local_shell_call" as const,
    ...head,
    action: {
      type: "exec" as const,
      command: texts(command),
      env: {},
      ...(typeof limit === "number" ? { timeout_ms: limit } : {}),
      ...(isText(directory) ? { working_directory: directory } : {}),
    },
  }),
  textOf: ({ output }) => textOr(output, JSON.stringify(output ?? "")),
} satisfies ClientTool;

/** Follows https://platform.openai.com/docs/guides/tools-shell */
const shell = {
  description: "Runs shell commands on the machine of the user, and returns the output of each.",
  parameters: object(
    {
      commands: { type: "array", items: text },
      timeout_ms: milliseconds,
      max_output_length: { type: "integer", description: "The most characters of output to return." },
    },
    ["commands"],
  ),
  prefix: "sh",
  callType: "shell_call",
  outputType: "shell_call_output",
  argumentsOf: ({ action }) => {
    const { commands, timeout_ms: limit, max_output_length: length } = members(action);
    return {
      commands: texts(commands),
      ...(limit == null ? {} : { timeout_ms: limit }),
      ...(length == null ? {} : { max_output_length: length }),
    };
  },
  itemOf: ({ commands, timeout_ms: limit, max_output_length: length }, head) => ({
    type: "shell_call" as const,
    ...head,
    action: {
      commands: texts(commands),
      timeout_ms: typeof limit === "number" ? limit : null,
      max_output_length: typeof length === "number" ? length : null,
    },
    environment: { type: "local" as const },
  }),
  textOf: ({ output }) => (Array.isArray(output) ? output.map((each) => ofCommand(members(each))).join("\n\n") : ""),
} satisfies ClientTool;

function ofCommand({ stdout, stderr, outcome }: JsonObject): string {
  const { type, exit_code: code } = members(outcome);
  const end = type === "timeout" ? "The time limit was reached." : `Exit code: ${String(code ?? 0)}`;
  return [stdout, stderr, end].filter(isText).join("\n");
}

/** Follows https://platform.openai.com/docs/guides/tools-tool-search */
const toolSearch = {
  description: "Searches for further tools, which can be called once they are found.",
  parameters: object({ query: text }, ["query"]),
  prefix: "tsc",
  callType: "tool_search_call",
  outputType: "tool_search_output",
  argumentsOf: ({ arguments: args }) => args ?? {},
  itemOf: (args, head) => ({
    type: "tool_search_call" as const,
    ...head,
    execution: "client" as const,
    arguments: args,
  }),
  textOf: ({ tools }) => {
    const found = (Array.isArray(tools) ? tools : []).map((tool) => members(tool)["name"]).filter(isText);
    return found.length === 0 ? "No tools were found." : `Found: ${found.join(", ")}`;
  },
} satisfies ClientTool;

const tools = { apply_patch: applyPatch, local_shell: localShell, shell, tool_search: toolSearch };

/** The tools by their type. */
export const clientTools: ReadonlyMap<unknown, (typeof tools)[keyof typeof tools]> = new Map(Object.entries(tools));

/** The types of the tools by the types of the items of their calls. */
export const toolOfCall: ReadonlyMap<string, string> = new Map(
  Object.entries(tools).map(([type, { callType }]) => [callType, type]),
);
/** The types of the tools by the types of the items of their results. */
export const toolOfOutput: ReadonlyMap<string, string> = new Map(
  Object.entries(tools).map(([type, { outputType }]) => [outputType, type]),
);

/** True for a tool of these that the client runs itself: a shell only in a local environment, a search only where it says so. */
export function runsAtClient({ type, environment, execution }: JsonObject): boolean {
  if (type === "shell") return isJsonObject(environment) && environment["type"] === "local";
  return type === "tool_search" ? execution === "client" : clientTools.has(type);
}

/** Returns a text, or `other` in place of any other value. */
export const textOr = (value: unknown, other: string): string => (typeof value === "string" ? value : other);

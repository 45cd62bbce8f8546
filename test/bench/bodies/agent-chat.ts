/** The members of a chat completion request, but for its model. */
export type ChatRequest = { readonly messages: readonly object[] } & Readonly<Record<string, unknown>>;

/** How much an agent has done so far. */
export interface AgentWork {
  /** Calls of tools, each with its result. */
  readonly calls: number;
  readonly tools: number;
  /** Lines in the result of each call. */
  readonly resultLines: number;
  /** Stands in every tenth line of a result. */
  readonly mark?: string;
}

/** The request of a coding agent in the middle of its work: instructions, a task, and calls of tools with their results. */
export function agentChat({ calls, tools, resultLines, mark = "ok" }: AgentWork): ChatRequest {
  const turns = Array.from({ length: calls }, (_, index) => [
    callOfTool(index),
    resultOfTool(index, resultLines, mark),
  ]);
  return {
    messages: [
      { role: "system", content: instructions },
      { role: "user", content: 'Find out why the test "keeps the order of entries" fails, and repair it.' },
      ...turns.flat(),
      { role: "user", content: "Go on, and run the tests again once you are done." },
    ],
    tools: chatTools(tools),
    tool_choice: "auto",
    parallel_tool_calls: true,
    max_tokens: 4_096,
    temperature: 0,
    user: "user-1234",
  };
}

/** Definitions of functions, some 330 bytes each. */
export function chatTools(count: number): object[] {
  return Array.from({ length: count }, (_, index) => {
    const name = toolName(index);
    return {
      type: "function",
      function: {
        name,
        description: `Runs ${name} in the working directory of the project and returns what it printed.`,
        parameters: {
          type: "object",
          properties: {
            path: { type: "string", description: "The file, relative to the project." },
            limit: { type: "integer", minimum: 1, maximum: 2000 },
          },
          required: ["path"],
          additionalProperties: false,
        },
      },
    };
  });
}

const verbs = ["read", "write", "search", "list", "run"] as const;
const toolName = (index: number): string => `${verbs[index % verbs.length]}_${index}`;

const instructions = [
  "You are a coding agent that works in a terminal. Keep your answers short, and do the work with your tools.",
  ...Array.from(
    { length: 12 },
    (_, index) =>
      `${index + 1}. Before you change a file, read it. Use the "${toolName(index)}" tool for that, and quote what you found.`,
  ),
].join("\n");

function callOfTool(index: number): object {
  const call = {
    name: toolName(index % 5),
    arguments: JSON.stringify({ path: `src/entries/part-${index}.ts`, limit: 40 }),
  };
  return {
    role: "assistant",
    content: `I look at part ${index} of the entries next.`,
    tool_calls: [{ id: callId(index), type: "function", function: call }],
  };
}

function resultOfTool(index: number, lines: number, mark: string): object {
  const line = (at: number) =>
    at % 10 === 9 ? `// ${mark} checked` : `${at + 1}\tconst entry${at} = list.get("part-${index}");`;
  return {
    role: "tool",
    tool_call_id: callId(index),
    content: Array.from({ length: lines }, (_, at) => line(at)).join("\n"),
  };
}

const callId = (index: number): string => `call_${String(index).padStart(4, "0")}Qw8xK2vTz7`;

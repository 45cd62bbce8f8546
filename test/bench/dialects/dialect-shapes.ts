import { agentChat, chatTools } from "../bodies/agent-chat.ts";

/** A request in another dialect than chat completions, and what it is measured by. */
export interface DialectShape {
  /** Inside the API. */
  readonly path: "/messages" | "/responses";
  /** Stands before the name of the reply in that of the model. The router has targets of both kinds. */
  readonly way: "native" | "translated";
  readonly reply: "json" | "sse-200-5";
  /** The request, but for its model. */
  readonly request: object;
  /** The bar on the gateway's CPU time, as a multiple of the bare proxy's. */
  readonly bound?: number;
}

const task = 'Find out why the test "keeps the order of entries" fails, and repair it.';

/** The work of an agent as Anthropic's clients send it. */
function messagesOf(calls: number, tools: number, resultLines: number) {
  const { messages } = agentChat({ calls, tools, resultLines });
  return {
    max_tokens: 4_096,
    system: [{ type: "text", text: textOf(messages[0]), cache_control: { type: "ephemeral" } }],
    messages: [{ role: "user", content: task }, ...pairsOf(messages).flatMap(toMessages)],
    tools: chatTools(tools).map(toAnthropicTool),
    metadata: { user_id: "user_1234_account_5678_session_9abc" },
  };
}

/** The work of an agent as Codex sends it. */
function responsesOf(calls: number, tools: number, resultLines: number) {
  const { messages } = agentChat({ calls, tools, resultLines });
  return {
    instructions: textOf(messages[0]),
    input: [inputMessage(task), ...pairsOf(messages).flatMap(toItems)],
    tools: [...chatTools(tools).map(toResponsesTool), { type: "web_search" }],
    tool_choice: "auto",
    parallel_tool_calls: true,
    reasoning: { summary: "auto" },
    store: false,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: "0199f3c2-8f3a-7b61-9a2e-5f3d1c7b2a10",
  };
}

const messagesShort = { max_tokens: 256, messages: [{ role: "user", content: "What is the capital of France?" }] };
const responsesShort = { input: "What is the capital of France?", max_output_tokens: 256, store: false };
const asStream = { stream: true };

/** The shapes by name. Streams are measured by the frame, the others by the request. */
export const dialectShapes = {
  "messages 20 KB": { path: "/messages", way: "native", reply: "json", request: messagesOf(17, 12, 13), bound: 2 },
  "responses 40 KB, as Codex": {
    path: "/responses",
    way: "native",
    reply: "json",
    request: responsesOf(34, 20, 14),
    bound: 2.2,
  },
  "messages 20 KB, translated": {
    path: "/messages",
    way: "translated",
    reply: "json",
    request: messagesOf(17, 12, 13),
  },
  "responses 40 KB, translated": {
    path: "/responses",
    way: "translated",
    reply: "json",
    request: responsesOf(34, 20, 14),
  },
  "messages frame": {
    path: "/messages",
    way: "native",
    reply: "sse-200-5",
    request: { ...messagesShort, ...asStream },
    bound: 1.2,
  },
  "responses frame": {
    path: "/responses",
    way: "native",
    reply: "sse-200-5",
    request: { ...responsesShort, ...asStream },
    bound: 1.2,
  },
  "messages frame, translated": {
    path: "/messages",
    way: "translated",
    reply: "sse-200-5",
    request: { ...messagesShort, ...asStream },
    bound: 3,
  },
  "responses frame, translated": {
    path: "/responses",
    way: "translated",
    reply: "sse-200-5",
    request: { ...responsesShort, ...asStream },
    bound: 3,
  },
} as const satisfies Record<string, DialectShape>;

/** The name of a shape. */
export type DialectShapeName = keyof typeof dialectShapes;

/** All names, in the order of the table. */
export const dialectShapeNames = Object.keys(dialectShapes).filter(isDialectShapeName);

function isDialectShapeName(name: string): name is DialectShapeName {
  return Object.hasOwn(dialectShapes, name);
}

/** The events beside those of content that a whole stream has, of one that a chat completion with `count` frames is. */
export const eventsOf = (path: DialectShape["path"], count: number): number =>
  path === "/messages" ? count + 3 : count + 6;

interface Pair {
  readonly id: string;
  readonly name: string;
  readonly args: string;
  readonly said: string;
  readonly result: string;
}

/** The calls of an agent with their results, which stand between its task and the last message. */
function pairsOf(messages: readonly object[]): readonly Pair[] {
  const work = messages.slice(2, -1);
  return work.flatMap((message, at) => {
    const call = "tool_calls" in message && Array.isArray(message.tool_calls) ? message.tool_calls[0] : undefined;
    if (call === undefined) return [];
    const { id, function: called } = call;
    return [{ id, name: called.name, args: called.arguments, said: textOf(message), result: textOf(work[at + 1]) }];
  });
}

function textOf(message: object | undefined): string {
  return message !== undefined && "content" in message ? String(message.content) : "";
}

function toMessages({ id, name, args, said, result }: Pair) {
  const use = { type: "tool_use", id, name, input: JSON.parse(args) };
  return [
    { role: "assistant", content: [{ type: "text", text: said }, use] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: result }] },
  ];
}

function toItems({ id, name, args, said, result }: Pair) {
  return [
    { type: "message", role: "assistant", content: [{ type: "output_text", text: said }] },
    { type: "function_call", call_id: id, name, arguments: args },
    { type: "function_call_output", call_id: id, output: result },
  ];
}

function inputMessage(text: string) {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

function functionOf(tool: object): Record<string, unknown> {
  return "function" in tool && typeof tool.function === "object" ? { ...tool.function } : {};
}

function toAnthropicTool(tool: object) {
  const { name, description, parameters } = functionOf(tool);
  return { name, description, input_schema: parameters };
}

function toResponsesTool(tool: object) {
  return { type: "function", ...functionOf(tool), strict: false };
}

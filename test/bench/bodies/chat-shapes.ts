import { agentChat, type ChatRequest, chatTools } from "./agent-chat.ts";

/** A chat completion as clients send it, and the JSON answer that it gets. */
export interface ChatShape {
  /** The answer of the mock provider, which the model's name picks. */
  readonly reply: "json" | "json-toolcalls";
  /** The request, but for its model. */
  readonly request: ChatRequest;
  /** The bar on the gateway's CPU time, as a multiple of the bare proxy's. */
  readonly bound?: number;
}

const question: ChatRequest = {
  messages: [
    { role: "system", content: "You are a helpful assistant. Answer in a short paragraph and do not use lists." },
    { role: "user", content: "What is the capital of France, and what is it known for?" },
  ],
  temperature: 0.7,
  max_tokens: 256,
  user: "user-1234",
};

const withTools: ChatRequest = { ...question, tools: chatTools(5), tool_choice: "auto" };

/** The shapes of chat completions that the bench measures, by name. */
export const chatShapes = {
  /** Two messages. */
  short: { reply: "json", request: question, bound: 1.5 },
  /** The same with five tools: 2 KB. */
  tools5: { reply: "json", request: withTools, bound: 1.6 },
  /** An agent at work: 37 messages and 12 tools, 20 KB of ASCII. */
  agent20: { reply: "json", request: agentChat({ calls: 17, tools: 12, resultLines: 13 }), bound: 2 },
  /** An agent that has worked for long: 203 messages and 20 tools, 200 KB, some of it beyond ASCII. */
  agent200: { reply: "json", request: agentChat({ calls: 100, tools: 20, resultLines: 40, mark: "✓" }), bound: 2.2 },
  /** Five tools, of which the answer calls two. */
  toolcalls: { reply: "json-toolcalls", request: withTools },
} as const satisfies Record<string, ChatShape>;

/** The name of a shape. */
export type ChatShapeName = keyof typeof chatShapes;

/** All names, in the order of their size. */
export const chatShapeNames = [
  "short",
  "tools5",
  "toolcalls",
  "agent20",
  "agent200",
] as const satisfies ChatShapeName[];

/** Whether there is a shape of this name. */
export const isChatShapeName = (name: string): name is ChatShapeName => Object.hasOwn(chatShapes, name);

import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import type { ChatMessage } from "../../wire/chat-completion-request.ts";
import { isNoArguments } from "../../wire/tool-calls.ts";
import { ResponseIds, toOutputItems } from "./answer/output-items.ts";
import { readResponsesRequest } from "./request/request-schema.ts";
import { chatView } from "./request/to-chat.ts";

const text = fc.string({ minLength: 1, maxLength: 20 });
const args = fc.string({ maxLength: 20 }).filter((given) => !isNoArguments(given));
const call = fc.record({ name: text, args, result: fc.string({ maxLength: 20 }) });
const turn = fc.record({
  question: text,
  reasoning: fc.option(text, { nil: undefined }),
  answer: fc.option(text, { nil: null }),
  calls: fc.array(call, { maxLength: 3 }),
});

/** A conversation in chat messages, in which no text is said in two ways. */
function toChat(turns: readonly (typeof turn extends fc.Arbitrary<infer Turn> ? Turn : never)[]) {
  return turns.flatMap(({ question, reasoning, answer, calls }, at): { message: ChatMessage; reasoning?: string }[] => {
    const made = calls.map(({ name, args }, place) => ({
      id: `call_${at}_${place}`,
      type: "function" as const,
      function: { name, arguments: args },
    }));
    const results = calls.map(({ result }, place) => ({
      message: { role: "tool" as const, tool_call_id: `call_${at}_${place}`, content: result },
    }));
    const said = { role: "assistant" as const, content: answer, ...(made.length > 0 ? { tool_calls: made } : {}) };
    const reply = answer === null && made.length === 0 ? [] : [{ message: said, ...(reasoning && { reasoning }) }];
    return [{ message: { role: "user", content: question } }, ...reply, ...results];
  });
}

/** What a client sends back: its own messages, the output items that it got, and the results of calls. */
function toInput(entries: ReturnType<typeof toChat>): object[] {
  return entries.flatMap(({ message, reasoning }, at): object[] => {
    const { role, content, tool_call_id: id } = message;
    if (role === "tool") return [{ type: "function_call_output", call_id: id, output: content }];
    if (role !== "assistant") return [{ role, content }];
    const ids = new ResponseIds(String(at));
    return toOutputItems(
      { ...message, reasoning_content: reasoning },
      ids,
      new Map([["patch", "custom"]]),
      "completed",
    );
  });
}

test.prop([fc.array(turn, { minLength: 1, maxLength: 5 })])(
  "a conversation that went through output items and back is the same conversation",
  (turns) => {
    const entries = toChat(turns);
    const read = readResponsesRequest({ model: "m", input: toInput(entries) });
    if ("problem" in read) throw new Error(read.problem.message);
    expect(chatView(read.request)).toMatchObject({
      messages: entries.map(({ message }) => message),
      problem: undefined,
    });
  },
);

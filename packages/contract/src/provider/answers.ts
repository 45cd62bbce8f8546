import { deepEqual, equal } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import type { ProviderContext, Way } from "./context.ts";
import { expectToolCalls } from "./provider-answer.ts";
import type { UpstreamRequest } from "./upstream-codec.ts";
import { answering, type ScriptedToolCall } from "./upstream-script.ts";

const ways: readonly Way[] = ["complete", "stream"];

/** Texts that break parsers, pattern replacements and decoders that split characters. */
const pieces = ["Zoë ", "$& $1 ", "日本 🙂 ", '"quoted" \\ ', "\u2028\u0000\ttab\r\n\n", "data: [DONE] ", "__proto__"];

const tools = ["look_up", "send_mail"].map((name) => ({
  type: "function" as const,
  function: { name, description: "A tool.", parameters: { type: "object", properties: {} } },
}));

const lookUp: ScriptedToolCall = {
  id: "call_a",
  name: "look_up",
  argumentPieces: ['{"city":"Zü', 'rich","n":', "[1,2]}"],
};
const sendMail: ScriptedToolCall = { id: "call_b", name: "send_mail", argumentPieces: ['{"to":"a', '","copy":null}'] };
const withoutArguments: ScriptedToolCall = { id: "call_c", name: "look_up", argumentPieces: ["{}"] };

/** The cases of successful answers. */
export const answerCases: Cases<ProviderContext> = {
  "the text arrives unchanged": async ({ play, ask }) => {
    play(answering({ pieces }));
    for (const way of ways) equal((await ask(way)).text, pieces.join(""), way);
  },
  "an empty answer is valid": async ({ play, ask }) => {
    play(answering({ pieces: [], completionTokens: 0 }));
    for (const way of ways) {
      const { text, finish, toolCalls } = await ask(way);
      deepEqual([text, finish, toolCalls], ["", "stop", []], way);
    }
  },
  "an answer that reached its output cap has the finish reason length": async ({ play, ask }) => {
    play(answering({ finish: "length" }));
    for (const way of ways) equal((await ask(way)).finish, "length", way);
  },
  "a complete answer has the upstream's usage": async ({ play, ask }) => {
    play(answering({ promptTokens: 1_234, completionTokens: 567 }));
    deepEqual((await ask("complete")).tokens, { prompt: 1_234, completion: 567 });
  },
  "a stream has the upstream's usage": async ({ provider, play, ask }) => {
    play(answering({ promptTokens: 1_234, completionTokens: 567 }));
    const { tokens } = await ask("stream");
    if (provider.capabilities.streamUsage) deepEqual(tokens, { prompt: 1_234, completion: 567 });
  },
  "a tool call arrives with its name and arguments": async ({ play, ask }) => {
    play(answering({ pieces: [], toolCalls: [lookUp], finish: "tool_calls" }));
    for (const way of ways) {
      expectToolCalls(await ask(way, { request: { tools } }), [["look_up", { city: "Zürich", n: [1, 2] }]]);
    }
  },
  "several tool calls after a text stay separate": async ({ play, ask }) => {
    const toolCalls = [lookUp, sendMail, withoutArguments];
    play(answering({ pieces: ["One moment. "], toolCalls, finish: "tool_calls" }));
    for (const way of ways) {
      const received = await ask(way, { request: { tools } });
      equal(received.text, "One moment. ", way);
      expectToolCalls(received, [
        ["look_up", { city: "Zürich", n: [1, 2] }],
        ["send_mail", { to: "a", copy: null }],
        ["look_up", {}],
      ]);
    }
  },
  "each of 20 concurrent calls gets its own answer": async ({ play, ask }) => {
    play((request) => answering({ pieces: [answerTo(request), "!"] }));
    const questions = Array.from({ length: 20 }, (_, index) => `question-${index}-`);
    const answers = await Promise.all(
      questions.map((content, index) =>
        ask(index % 2 === 0 ? "complete" : "stream", { request: { messages: [{ role: "user", content }] } }),
      ),
    );
    deepEqual(
      answers.map(({ text }) => text),
      questions.map((question) => `${question.replace("question", "answer")}!`),
    );
  },
};

const answerTo = ({ body }: UpstreamRequest) => `answer-${/question-(\d+)-/.exec(body)?.[1] ?? "without a question"}-`;

import { readFileSync } from "node:fs";
import { chatForm } from "../../upstream/chat-form.ts";
import { messagesForm } from "../../upstream/messages-form.ts";
import { type ModelAnswer, textAnswer } from "../../upstream/model-answer.ts";
import { responsesForm } from "../../upstream/responses-form.ts";
import { type ApiForm, eventText } from "../../upstream/upstream-event.ts";

const tokens = { input: 20, cacheRead: 3, cacheWrite5m: 2, cacheWrite1h: 1, output: 9, reasoning: 4 };
const answers: readonly ModelAnswer[] = [
  textAnswer(["Hel", "lo, 日本 🦊"], tokens),
  {
    parts: [
      { type: "thinking", pieces: ["Let me", " think."], signature: "c2ln" },
      { type: "text", pieces: ["One ", "moment."] },
      { type: "tool", id: "call_1", name: "look_up", pieces: ['{"city":', '"Rome"}'] },
    ],
    end: "tools",
    tokens,
  },
];

const fixture = (name: string) => readFileSync(`packages/google/fixtures/streams/${name}.sse`, "utf8");

const streamsOf = (form: ApiForm<ModelAnswer>) => [
  ...answers.map((answer) => form.events(answer, "up").map(eventText).join("")),
  eventText(form.errorEvent("It failed.", 0)),
];

/** Streams of each API of an upstream. */
export const streamCorpora: Readonly<Record<"chat" | "messages" | "responses" | "gemini", readonly string[]>> = {
  chat: streamsOf(chatForm),
  messages: streamsOf(messagesForm),
  responses: streamsOf(responsesForm),
  gemini: ["text", "thoughts", "tool-calls", "error-midway", "malformed-call"].map(fixture),
};

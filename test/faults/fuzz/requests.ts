import fc from "fast-check";
import { describe } from "vitest";
import { anyChatRequest } from "../../../packages/core/test-support/any-chat-request.ts";
import { chatForm } from "../../upstream/chat-form.ts";
import { embeddingsAnswer } from "../../upstream/embeddings-form.ts";
import { messagesForm } from "../../upstream/messages-form.ts";
import { textAnswer } from "../../upstream/model-answer.ts";
import { responsesForm } from "../../upstream/responses-form.ts";
import { fuzzed } from "./fuzz.ts";
import { FuzzedGateway } from "./fuzzed-gateway.ts";
import { mutated } from "./mutated.ts";
import { requestCorpora } from "./request-corpora.ts";
import { verify } from "./verify.ts";

const answer = textAnswer(["Hel", "lo"]);
const whole = {
  chat: chatForm.whole(answer, "up"),
  messages: messagesForm.whole(answer, "up"),
  responses: responsesForm.whole(answer, "up"),
  embeddings: embeddingsAnswer({ input: ["Hi"] }, "up", 3),
} as const;
const generated = anyChatRequest.map((request) => JSON.stringify({ ...request, model: "openai" }));

describe.each(["chat", "messages", "responses", "embeddings"] as const)("a request of %s", (dialect) => {
  const static_ = fc.constantFrom(...requestCorpora[dialect]);
  fuzzed("is answered or refused with a short error, whatever its bytes are", () => {
    const gateway = new FuzzedGateway();
    const body = new TextEncoder().encode(JSON.stringify(whole[dialect]));
    gateway.reply = { contentType: "application/json", chunks: [body] };
    return {
      title: `requests of ${dialect}`,
      inputs: mutated(dialect === "chat" ? fc.oneof(static_, generated) : static_),
      async take(bytes) {
        const { status, text } = await gateway.ask(dialect, bytes);
        verify([200, 400, 403, 404, 502].includes(status), "The status is that of an answer or a refusal", status);
        if (status !== 200) verify(text.length < 2_000, "The error is short", text);
      },
    };
  });
});

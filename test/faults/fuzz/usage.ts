import type { Dialect } from "@tollgate/core/store";
import fc from "fast-check";
import { describe } from "vitest";
import { chatForm } from "../../upstream/chat-form.ts";
import { messagesForm } from "../../upstream/messages-form.ts";
import { textAnswer } from "../../upstream/model-answer.ts";
import { responsesForm } from "../../upstream/responses-form.ts";
import { fuzzed } from "./fuzz.ts";
import { FuzzedGateway } from "./fuzzed-gateway.ts";
import { oddNumbers } from "./mutated.ts";
import { verify } from "./verify.ts";

const count = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: 2_000 }).map(String) },
  fc.constantFrom(...oddNumbers),
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
);
const members = (names: readonly string[], value: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 8 })
    .map((entries) => `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join()}}`);

const details = members(
  [
    ..."cached_tokens cache_write_tokens cache_write_1h_tokens reasoning_tokens audio_tokens thinking_tokens".split(
      " ",
    ),
    ..."ephemeral_5m_input_tokens ephemeral_1h_input_tokens __proto__ constructor".split(" "),
  ],
  count,
);
const detailNames =
  "prompt_tokens_details completion_tokens_details input_tokens_details output_tokens_details cache_creation";
const countNames =
  "prompt_tokens completion_tokens total_tokens input_tokens output_tokens cache_read_input_tokens cache_creation_input_tokens promptTokenCount candidatesTokenCount thoughtsTokenCount totalTokenCount cachedContentTokenCount";

const usage = fc
  .tuple(members([...countNames.split(" "), "__proto__", "cost"], count), members(detailNames.split(" "), details))
  .map(([counts, more]) => `${counts.slice(0, -1)}${counts === "{}" || more === "{}" ? "" : ","}${more.slice(1)}`);
/** The text of a usage, of which most members are those of some API. */
const anyUsage = fc.oneof({ weight: 8, arbitrary: usage }, count);

const answer = textAnswer(["Hello."]);
const gemini = {
  candidates: [{ content: { role: "model", parts: [{ text: "Hello." }] }, finishReason: "STOP", index: 0 }],
  usageMetadata: {},
  modelVersion: "up",
};

/** The answers of each upstream, with a mark in place of its usage. */
const wholes = [
  ["chat", "openai", "chat", JSON.stringify({ ...Object(chatForm.whole(answer, "up")), usage: "MARK" })],
  ["messages", "anthropic", "messages", JSON.stringify({ ...Object(messagesForm.whole(answer, "up")), usage: "MARK" })],
  ["responses", "openai", "responses", JSON.stringify({ ...Object(responsesForm.whole(answer, "up")), usage: "MARK" })],
  ["gemini", "google", "chat", JSON.stringify({ ...gemini, usageMetadata: "MARK" })],
] as const;

const request = (dialect: Dialect, model: string): string => {
  const messages = [{ role: "user", content: "Hi" }];
  const prompt = dialect === "responses" ? { input: messages, max_output_tokens: 50 } : { messages, max_tokens: 50 };
  return JSON.stringify({ model, ...prompt });
};

describe.each(wholes)("an answer of %s", (api, model, dialect, whole) => {
  fuzzed("is charged within the bounds of its hold, whatever usage it reports", () => {
    const gateway = new FuzzedGateway();
    return {
      title: `usage objects of ${api}`,
      inputs: anyUsage,
      async take(text) {
        gateway.reply = { contentType: "application/json", chunks: [Buffer.from(whole.replace('"MARK"', () => text))] };
        const response = await gateway.ask(dialect, request(dialect, model));
        verify(response.status === 200 || response.status === 502, "The status is 200 or 502", response.status);
        JSON.parse(response.text);
      },
    };
  });
});

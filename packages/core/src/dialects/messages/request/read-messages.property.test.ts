import fc from "fast-check";
import { expect, it } from "vitest";
import { anyText, odd, withOneChange } from "../../../../test-support/odd-values.ts";
import { runs } from "../../../../test-support/property-runs.ts";
import { GatewayError } from "../../../errors/gateway-error.ts";
import { inspectBody } from "../../../steps/parse-request.ts";
import { encodeUtf8 } from "../../../wire/bytes.ts";
import { leftOutMembers } from "./messages-native-request.ts";
import { messagesShape } from "./messages-schema.ts";
import { type ReadMessages, readParsedMessages, readUnparsedMessages } from "./read-messages.ts";

/** What the checks and the targets see of a request. */
function seen(read: () => ReadMessages | undefined) {
  const messages = readOrRefuse(read);
  if (messages === undefined || "refused" in messages) return messages;
  const { settings, prompt, untranslatable, isSigned, whole } = messages;
  const { messages: _, system: __, tools, ...others } = whole();
  const { messageCount, images, unknown, messages: texts } = prompt;
  return {
    settings: Object.fromEntries(Object.keys(others).map((name) => [name, settings[name]])),
    hasTools: [settings.tools?.length, tools?.length].map((length) => (length ?? 0) > 0),
    prompt: { messageCount, images, unknown, texts },
    untranslatable: untranslatable?.message,
    isSigned,
    whole: whole(),
    leftOut: leftOutMembers(settings, whole, { mayThink: false, mayCompact: false, isSigned }),
  };
}

function readOrRefuse(read: () => ReadMessages | undefined) {
  try {
    return read();
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return { refused: error.message };
  }
}

/** Reads a request in both ways and expects the same result. True if it was not parsed as a whole. */
function expectSame(value: unknown): boolean {
  const body = encodeUtf8(JSON.stringify(value));
  const inspection = inspectBody(body, messagesShape);
  const unparsed = seen(() => readUnparsedMessages(body, inspection, false));
  if (unparsed === undefined) return false;
  expect(unparsed).toEqual(seen(() => readParsedMessages(JSON.parse(JSON.stringify(value)), false)));
  return true;
}

const mark = { cache_control: fc.constantFrom({ type: "ephemeral" }, null), x: odd };
const textBlock = fc.record({ type: fc.constant("text"), text: anyText, ...mark }, { requiredKeys: ["type", "text"] });
const useBlock = fc.record(
  {
    type: fc.constant("tool_use"),
    id: anyText,
    name: anyText,
    input: fc.dictionary(anyText, odd),
    ...mark,
  },
  { requiredKeys: ["type", "id", "name", "input"] },
);
const thought = fc.record(
  { type: fc.constant("thinking"), thinking: anyText, signature: anyText, x: odd },
  { requiredKeys: ["type", "thinking"] },
);
const resultBlock = fc.record(
  {
    type: fc.constant("tool_result"),
    tool_use_id: anyText,
    content: fc.oneof(anyText, fc.array(textBlock, { maxLength: 2 }), fc.constant(null)),
    is_error: fc.constantFrom(true, false, null),
    ...mark,
  },
  { requiredKeys: ["type", "tool_use_id"] },
);
const otherBlock = fc.constantFrom(
  { type: "redacted_thinking", data: "x" },
  { type: "image", source: { type: "url", url: "https://h.example/a.png" } },
  { type: "document", source: { type: "text", media_type: "text/plain", data: "x" } },
  { type: "container_upload" },
);
const blocks = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: fc.oneof(textBlock, useBlock, thought, resultBlock) },
    { weight: 1, arbitrary: otherBlock },
  ),

  { maxLength: 3 },
);
const message = fc.record(
  {
    role: fc.constantFrom("user", "assistant", "system"),
    content: fc.oneof(anyText, blocks),
    x: odd,
  },
  { requiredKeys: ["role", "content"] },
);
const tool = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        type: fc.constant("custom"),
        name: anyText,
        description: fc.oneof(anyText, fc.constant(null)),
        input_schema: fc.dictionary(anyText, odd),
        ...mark,
      },
      { requiredKeys: ["name", "input_schema"] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom({ type: "bash_20250124", name: "bash" }, { type: "web_search_20250305" }) },
);
const request = fc.record(
  {
    model: anyText,
    messages: fc.array(message, { minLength: 1, maxLength: 4 }),
    system: fc.oneof(anyText, fc.array(textBlock, { maxLength: 2 })),
    tools: fc.array(tool, { maxLength: 3 }),
    tool_choice: fc.constantFrom({ type: "auto" }, { type: "any" }, { type: "tool", name: "bash" }, null),
    max_tokens: fc.integer({ min: 1 }),
    thinking: fc.constantFrom({ type: "adaptive" }, { type: "enabled", budget_tokens: 9 }, null),
    temperature: fc.double({ min: 0, max: 1, noNaN: true }),
    metadata: fc.constantFrom({ user_id: "u" }, null),
    ...mark,
  },
  { requiredKeys: ["model", "messages", "max_tokens"] },
);

/** Members that mean more in some objects than in others. */
const names = ["content", "source", "type", "signature", "is_error", "tools", "role"];

it("reads a Messages request like the parser, without parsing it", () => {
  let unparsed = 0;
  fc.assert(
    fc.property(withOneChange(request, names), (value) => {
      if (expectSame(value)) unparsed += 1;
    }),
    { numRuns: runs(6_000) },
  );
  expect(unparsed).toBeGreaterThan(runs(6_000) / 4);
});

it.each([
  { type: "thinking", thinking: "Hm" },
  { type: "thinking", thinking: "Hm", signature: "" },
  { type: "tool_result", tool_use_id: 1 },
  { type: "tool_use", id: "a", name: "f", input: [] },
  { type: "text", text: "a", content: [{ type: "image", source: { type: "url", url: "https://h.example/a.png" } }] },
  { type: "image", source: { type: "url", url: "https://h.example/a.png" } },
  { text: "a" },
])("leaves a message with the block %j to the parser", (block) => {
  const body = encodeUtf8(
    JSON.stringify({ model: "m", max_tokens: 1, messages: [{ role: "user", content: [block] }] }),
  );
  expect(readUnparsedMessages(body, inspectBody(body, messagesShape), false)).toBeUndefined();
});

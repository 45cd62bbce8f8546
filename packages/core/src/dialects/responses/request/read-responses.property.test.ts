import fc from "fast-check";
import { expect, it } from "vitest";
import { anyText, odd, withOneChange } from "../../../../test-support/odd-values.ts";
import { runs } from "../../../../test-support/property-runs.ts";
import { GatewayError } from "../../../errors/gateway-error.ts";
import { memoryResponseStore } from "../../../memory/memory-response-store.ts";
import { inspectBody } from "../../../steps/parse-request.ts";
import { encodeUtf8 } from "../../../wire/bytes.ts";
import type { Json } from "../../../wire/json.ts";
import { demandedTools } from "./hosted-tools.ts";
import { type ReadResponses, readParsedResponses, readUnparsedResponses } from "./read-responses.ts";
import { responsesShape } from "./request-schema.ts";
import { withoutStore } from "./state.ts";

const services = { responses: undefined };

/** What the checks and the targets see of a request. */
async function seen(read: () => Promise<ReadResponses | undefined>) {
  const request = await readOrRefuse(read);
  if (request === undefined || "refused" in request) return request;
  const { sent, state, prompt, rewritten, exact, untranslatable } = request;
  const { tools, ...chat } = request.chat;
  const { messageCount, images, unknown, messages } = prompt;
  const { input: _, instructions: __, tools: ___, ...settings } = sent;
  return {
    settings,
    toolTypes: sent.tools?.map(({ type }) => type) ?? [],
    demanded: demandedTools(sent),
    store: state.store,
    chat,
    hasTools: Array.isArray(tools) && tools.length > 0,
    prompt: { messageCount, images, unknown, messages },
    rewritten,
    exact: exact(),
    untranslatable: untranslatable()?.message,
  };
}

async function readOrRefuse<Read>(read: () => Promise<Read>) {
  try {
    return await read();
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return { refused: error.message };
  }
}

/** Reads a request in both ways and expects the same result. True if it was not parsed as a whole. */
async function expectSame(value: unknown): Promise<boolean> {
  const body = encodeUtf8(JSON.stringify(value));
  const inspection = inspectBody(body, responsesShape);
  const unparsed = await seen(async () => readUnparsedResponses(services, body, inspection));
  if (unparsed === undefined) return false;
  const parsed: Json = JSON.parse(JSON.stringify(value));
  expect(unparsed).toEqual(
    await seen(() => readParsedResponses(body, inspection, parsed, async (sent) => withoutStore(sent))),
  );
  return true;
}

const part = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(
      {
        type: fc.constantFrom("input_text", "output_text", "text"),
        text: anyText,
        annotations: odd,
      },
      { requiredKeys: ["type", "text"] },
    ),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("refusal"), refusal: anyText }) },
);
const content = fc.oneof(anyText, fc.array(part, { maxLength: 3 }));
const message = fc.record(
  {
    type: fc.constant("message"),
    role: fc.constantFrom("user", "assistant", "system", "developer"),
    content: content,
    id: anyText,
  },
  { requiredKeys: ["role", "content"] },
);
const ids = fc.constantFrom("call_1", "call_2");
const call = fc.record(
  {
    type: fc.constantFrom("function_call", "custom_tool_call"),
    call_id: ids,
    name: anyText,
    arguments: anyText,
    input: anyText,
    status: odd,
  },
  { requiredKeys: ["type", "call_id", "name"] },
);
const result = fc.record({
  type: fc.constantFrom("function_call_output", "custom_tool_call_output"),
  call_id: ids,
  output: content,
});
const reasoning = fc.record(
  {
    type: fc.constant("reasoning"),
    summary: odd,
    content: fc.oneof(
      fc.constant(null),
      fc.array(fc.record({ type: fc.constant("reasoning_text"), text: anyText }), { maxLength: 1 }),
    ),
    encrypted_content: fc.oneof(anyText, fc.constant(null)),
  },
  { requiredKeys: ["type"] },
);
const other = fc.constantFrom(
  { type: "item_reference", id: "i" },
  { id: "i" },
  { type: "compaction", id: "i" },
  { type: "message", role: "user", content: [{ type: "input_image", image_url: "https://h.example/a.png" }] },
);
const item = fc.oneof(
  { weight: 9, arbitrary: fc.oneof(message, call, result, reasoning) },
  { weight: 1, arbitrary: other },
);
const tool = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        type: fc.constantFrom("function", "custom"),
        name: anyText,
        description: fc.oneof(anyText, fc.constant(null)),
        parameters: fc.oneof(fc.dictionary(anyText, odd), fc.constant(null)),
        strict: fc.constantFrom(true, null),
      },
      { requiredKeys: ["type", "name"] },
    ),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("web_search"), x: odd }) },
  { weight: 1, arbitrary: fc.constantFrom({ type: "namespace", tools: [{ type: "mcp" }] }, { type: "mcp" }) },
);
const request = fc.record(
  {
    model: anyText,
    input: fc.array(item, { minLength: 1, maxLength: 4 }),
    instructions: anyText,
    tools: fc.array(tool, { maxLength: 3 }),
    tool_choice: fc.constantFrom("auto", { type: "web_search" }, null),
    stream: fc.boolean(),
    text: fc.constantFrom({ verbosity: "low" }, { format: { type: "json_object" } }),
    reasoning: fc.constantFrom({ summary: "auto" }, { effort: "low" }, null),
    max_output_tokens: fc.integer({ min: 1 }),
    include: fc.constantFrom(["reasoning.encrypted_content"], ["message.output_text.logprobs"]),
    metadata: fc.constantFrom({ a: "b" }, null),
  },
  { requiredKeys: ["model", "input"] },
);

/** Members that mean more in some objects than in others. */
const names = [
  "tools",
  "content",
  "type",
  "output",
  "id",
  "role",
  "image_url",
  "refusal",
  "background",
  "previous_response_id",
];

it("reads a request of the Responses API like the parser, without parsing it", async () => {
  let unparsed = 0;
  await fc.assert(
    fc.asyncProperty(withOneChange(request, names), async (value) => {
      if (await expectSame(value)) unparsed += 1;
    }),
    { numRuns: runs(6_000) },
  );
  expect(unparsed).toBeGreaterThan(runs(6_000) / 4);
});

it.each([
  { type: "message", role: "user", content: "a", tools: [{ type: "web_search" }] },
  { type: "function_call", call_id: "a", name: "f", arguments: "{}", tools: [{ type: "web_search" }] },
  { type: "function_call_output", call_id: 1, output: "a" },
  { type: "message", role: "user", content: null },
  { type: "item_reference", id: "a" },
  { id: "a" },
  { type: "compaction", encrypted_content: "a" },
  { role: "user", content: [{ type: "input_text", text: "a", image_url: "https://h.example/a.png" }] },
  { type: "message", role: "user", content: [{ type: "input_image", image_url: "https://h.example/a.png" }] },
])("leaves a request with the item %j to the parser", (item) => {
  const body = encodeUtf8(JSON.stringify({ model: "m", input: [item] }));
  const inspection = inspectBody(body, responsesShape);
  expect(readUnparsedResponses(services, body, inspection)).toBeUndefined();
});

it("parses a request that is stored or continues a stored one", () => {
  const stored = { ...services, responses: { store: memoryResponseStore(), ttlMs: 1, maxAccountBytes: 1 } };
  const input = [{ role: "user", content: "a" }];
  const isUnparsed = (from: typeof services | typeof stored, members: object) => {
    const body = encodeUtf8(JSON.stringify({ model: "m", input, ...members }));
    return readUnparsedResponses(from, body, inspectBody(body, responsesShape)) !== undefined;
  };
  expect([isUnparsed(services, {}), isUnparsed(stored, { store: false })]).toEqual([true, true]);
  expect([isUnparsed(stored, {}), isUnparsed(services, { previous_response_id: "resp_1" })]).toEqual([false, false]);
});

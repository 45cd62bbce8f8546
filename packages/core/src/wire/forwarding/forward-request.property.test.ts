import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { mostly, odd, seldom, anyText as text } from "../../../test-support/odd-values.ts";
import { runs } from "../../../test-support/property-runs.ts";
import { decodeUtf8, encodeUtf8 } from "../bytes.ts";
import type { Json } from "../json.ts";
import { type Changes, type ReadRequest, RequestText, readParsed, readUnparsed } from "./forward.ts";
import { type Inspection, inspectRequest } from "./inspect-request.ts";
import { shortcuts } from "./shortcuts.ts";

afterEach(() => {
  shortcuts.areOn = true;
});

function inspect(bytes: Uint8Array): Inspection | undefined {
  const inspection = inspectRequest(bytes);
  return "exceeded" in inspection ? undefined : inspection;
}

function parse(bytes: Uint8Array): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(decodeUtf8(bytes) ?? "") };
  } catch {
    return undefined;
  }
}

/** The request as the checks and upstreams see it. Tools are compared in the form that upstreams receive. */
function seen(bytes: Uint8Array, read: ReadRequest, inspection: Inspection, given: Changes): unknown {
  const { messages: _, tools, ...chat } = read.chat;
  const { messageCount, images, unknown, messages } = read.prompt;
  const text = new RequestText(bytes, inspection, read.whole);
  // A text format counts as absent, and is sent to no upstream.
  const isAbsent = chat["response_format"] === null;
  const members = [...given.members, ...(isAbsent ? [{ name: "response_format", value: undefined }] : [])];
  const changes = { ...given, members };
  return {
    chat,
    hasTools: Array.isArray(tools) ? tools.length > 0 : tools,
    prompt: { messageCount, images, unknown, messages },
    changed: parse(text.changed(changes)),
    value: text.changedValue(changes),
  };
}

/** Reads the bytes in both ways and expects the same result. True if they were not parsed as a whole. */
function expectSame(bytes: Uint8Array, changes: Changes): boolean {
  const inspection = inspect(bytes);
  if (inspection === undefined) return false;
  const short = readUnparsed(bytes, inspection);
  if (short === undefined) return false;
  const parsed = parse(bytes);
  if (parsed === undefined) expect.fail(`${decodeUtf8(bytes)} is not JSON.`);
  const plain = readParsed(parsed.value);
  if ("problem" in short || "problem" in plain) {
    expect(short).toEqual(plain);
    return true;
  }
  const found = seen(bytes, short, inspection, changes);
  shortcuts.areOn = false;
  expect(found).toEqual(seen(bytes, plain, inspection, changes));
  shortcuts.areOn = true;
  return true;
}

const mark = fc.constantFrom({ type: "ephemeral" }, { type: "ephemeral", ttl: "1h" }, null);
const more = { cache_control: mostly(mark), x: odd };
const url = fc.constantFrom("https://h.example/é", "data:image/png;base64,aGk=", "data:text/plain,x", "a\\b", "");

const part = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      { type: mostly(fc.constant("text")), text: mostly(text), ...more, content: seldom, image_url: seldom },
      { requiredKeys: ["type", "text"] },
    ),
  },
  fc.record(
    {
      type: mostly(fc.constant("image_url")),
      image_url: mostly(
        fc.record({ url: mostly(url), detail: mostly(fc.constantFrom("low", null)) }, { requiredKeys: ["url"] }),
      ),
      ...more,
    },
    { requiredKeys: ["type", "image_url"] },
  ),
  { weight: 1, arbitrary: odd },
);
const call = fc.record(
  {
    id: mostly(text),
    type: mostly(fc.constant("function")),
    function: mostly(
      fc.record({ name: mostly(text), arguments: mostly(text), x: odd }, { requiredKeys: ["name", "arguments"] }),
    ),
    ...more,
  },
  { requiredKeys: ["id", "type", "function"] },
);
const message = fc.record(
  {
    role: mostly(fc.constantFrom("system", "developer", "user", "assistant", "tool")),
    content: mostly(fc.oneof(text, fc.constant(null), fc.array(mostly(part), { maxLength: 3 }))),
    name: mostly(fc.oneof(text, fc.constant(null))),
    tool_call_id: mostly(fc.oneof(text, fc.constant(null))),
    tool_calls: mostly(fc.oneof(fc.array(mostly(call), { maxLength: 2 }), fc.constant(null))),
    audio: seldom,
    ...more,
  },
  { requiredKeys: ["role"] },
);
const tool = fc.record(
  {
    type: mostly(fc.constant("function")),
    function: mostly(
      fc.record(
        {
          name: mostly(text),
          description: mostly(fc.oneof(text, fc.constant(null))),
          parameters: mostly(fc.dictionary(text, odd)),
          ...more,
        },
        { requiredKeys: ["name", "parameters"] },
      ),
    ),
    ...more,
  },
  { requiredKeys: ["type", "function"] },
);
const request = fc.record(
  {
    model: mostly(text),
    messages: mostly(fc.array(mostly(message), { minLength: 1, maxLength: 4 })),
    tools: mostly(fc.oneof(fc.array(mostly(tool), { maxLength: 3 }), fc.constant(null))),
    stream: mostly(fc.boolean()),
    max_tokens: mostly(fc.integer({ min: 1 })),
    temperature: mostly(fc.double({ noNaN: true })),
    response_format: mostly(fc.constantFrom({ type: "text" }, { type: "json_object" }, null)),
    metadata: odd,
    store: fc.constantFrom(false, true),
    ...more,
  },
  { requiredKeys: ["model", "messages"] },
);
const changes = fc.record({
  members: fc.subarray([
    { name: "model", value: "up", json: '"up"' },
    { name: "stream", value: undefined },
    { name: "max_tokens", value: 7 },
    { name: "reasoning_effort", value: "low" },
    { name: "cache_control", value: undefined },
  ]),
  isCut: fc.constantFrom<Changes["isCut"]>(
    () => true,
    ({ why }) => why === "null",
    ({ why }) => why !== "1h",
  ),
});

it("reads and changes a request like the parser, without parsing it", () => {
  let unparsed = 0;
  fc.assert(
    fc.property(request, fc.nat(2), changes, (value, indent, change) => {
      if (expectSame(encodeUtf8(JSON.stringify(value, undefined, indent)), change)) unparsed += 1;
    }),
    { numRuns: runs(5_000) },
  );
  expect(unparsed).toBeGreaterThan(runs(5_000) / 5);
});

it("parses a text that is invalid anywhere or has escapes in a name", () => {
  let unparsed = 0;
  const puts = fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.constantFrom("\\u0061", "\\u", "\n", "\x1f", '"', ",", "}", "]", "0", "-", ".5", "e9", "é"),
  );
  fc.assert(
    fc.property(request, fc.nat(), fc.nat(2), puts, changes, (value, place, cut, put, change) => {
      const whole = JSON.stringify(value);
      const at = place % whole.length;
      if (expectSame(encodeUtf8(whole.slice(0, at) + put + whole.slice(at + cut)), change)) unparsed += 1;
    }),
    { numRuns: runs(10_000) },
  );
  expect(unparsed).toBeGreaterThan(10);
});

it("parses bytes that are not UTF-8", () => {
  const bytes = encodeUtf8('{"model":"m","messages":[{"role":"user","content":"?"}]}');
  const inspection = inspect(bytes) ?? expect.fail();
  expect(readUnparsed(bytes, inspection)).toBeDefined();
  const broken = bytes.map((byte) => (byte === 0x3f ? 0xff : byte));
  expect(readUnparsed(broken, inspection)).toBeUndefined();
});

it.each([
  '{"model":"m","messages":[{"role":"user","content":"a"},{"role":"user","\\u0061udio":{}}]}',
  '{"model":"m","messages":[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"","n\\u0061me":1}}]}]}',
  '{"model":"m","messages":[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"","name":1}}]}]}',
  '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a","image_url":{"url":"x"}}]}]}',
  '{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:text/plain,x"}}]}]}',
  '{"model":"m","messages":[{"role":"us\\u0065r","content":"a"}]}',
  '{"model":"m","messages":[]}',
  '{"model":"m"}',
  "[]",
])("leaves %s to the parser", (json) => {
  const bytes = encodeUtf8(json);
  expect(readUnparsed(bytes, inspect(bytes) ?? expect.fail())).toBeUndefined();
});

it("reads the images without their URLs", () => {
  const bytes = encodeUtf8(
    '{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://h.example/é"}}]}]}',
  );
  const read = readUnparsed(bytes, inspect(bytes) ?? expect.fail());
  expect(read).toMatchObject({ prompt: { messageCount: 1, images: { count: 1, addressLength: 19 } } });
});

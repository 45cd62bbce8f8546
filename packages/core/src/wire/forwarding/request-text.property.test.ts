import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { anyChatRequest } from "../../../test-support/any-chat-request.ts";
import { runs } from "../../../test-support/property-runs.ts";
import { decodeUtf8, encodeUtf8 } from "../bytes.ts";
import type { Json } from "../json.ts";
import { inspectRequest } from "./inspect-request.ts";
import type { Inspection } from "./inspection.ts";
import { type Changes, type ReadRequest, RequestText, readParsed, readUnparsed } from "./request-text.ts";
import { turnOffShortcuts } from "./rewrite-request.ts";
import { shortcuts } from "./shortcuts.ts";

afterEach(() => {
  shortcuts.reference = undefined;
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
  turnOffShortcuts();
  expect(found).toEqual(seen(bytes, plain, inspection, changes));
  shortcuts.reference = undefined;
  return true;
}

const changes = fc.record({
  members: fc.subarray([
    { name: "model", value: "up", json: '"up"' },
    { name: "stream", value: undefined },
    { name: "max_tokens", value: 7 },
    { name: "reasoning_effort", value: "low" },
    { name: "cache_control", value: undefined },
  ]),
  isRemoved: fc.constantFrom<Changes["isRemoved"]>(
    () => true,
    ({ why }) => why === "null",
    ({ why }) => why !== "1h",
  ),
});

it("reads and changes a request like the parser, without parsing it", () => {
  let unparsed = 0;
  fc.assert(
    fc.property(anyChatRequest, fc.nat(2), changes, (value, indent, change) => {
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
    fc.property(anyChatRequest, fc.nat(), fc.nat(2), puts, changes, (value, place, cut, put, change) => {
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

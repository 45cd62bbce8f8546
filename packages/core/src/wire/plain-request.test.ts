import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test-support/property-runs.ts";
import { readChatCompletionRequest } from "./chat-completion-request.ts";
import { scanJson } from "./json-members.ts";
import { readPlainRequest } from "./plain-request.ts";
import { promptOf } from "./prompt.ts";
import { ScannedText } from "./request-text.ts";
import type { MemberChange } from "./splice-members.ts";

const decoder = new TextDecoder();

/** All that the gateway asks of a request, or undefined when it is none. */
function parsed(text: string, changes: readonly MemberChange[]) {
  const bytes = new TextEncoder().encode(text);
  const scan = scanJson(bytes);
  const read = readChatCompletionRequest(parse(text));
  if (!("members" in scan) || "problem" in read) return undefined;
  const { messages, ...parameters } = read.request;
  const sent = decoder.decode(new ScannedText(bytes, scan.members).changed(changes));
  return { parameters, prompt: promptOf(messages), sent };
}

/** The same of a plain request, or undefined when it is left to the parser. */
function matched(text: string, changes: readonly MemberChange[]) {
  const plain = readPlainRequest(text);
  if (plain === undefined) return undefined;
  const { parameters, messages, length, images, unknown, withoutNulls } = plain;
  const sent = decoder.decode(plain.changed(changes));
  return { parameters, prompt: { messages, length, images, unknown, withoutNulls }, sent };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const rename: MemberChange = { name: "model", value: "up/größe", json: '"up/größe"' };
const user = { role: "user", content: "Hello" };
const plain = { model: "m", messages: [user] };
const settings = {
  temperature: -0.5e-3,
  top_p: 1,
  max_tokens: 10,
  max_completion_tokens: 20,
  presence_penalty: 0,
  frequency_penalty: 2,
  seed: 7,
  user: "user-1",
  stop: "\n",
  reasoning_effort: "low",
  stream: true,
  stream_options: { include_usage: true },
};

describe("a plain request", () => {
  it.each([
    ["a model and one message", plain],
    [
      "messages of every role with a text",
      { model: "m", messages: ["system", "developer", "user", "assistant"].map((role) => ({ role, content: "" })) },
    ],
    ["the messages first", { messages: [user, user], model: "m", stream: false }],
    ["every setting", { ...plain, ...settings }],
    [
      "escapes and other scripts",
      { model: 'a"\\\n', messages: [{ role: "user", content: '{"role":"\\\n\u0001ä😀 "}' }], user: '"user":' },
    ],
  ])("has %s", (_, body) => {
    const text = JSON.stringify(body);
    expect(matched(text, [rename])).toEqual(parsed(text, [rename]));
    expect(matched(text, [rename])).toBeDefined();
  });

  it("may have the spaces that Python writes", () => {
    const text =
      '{"model": "m", "messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}], "stream": true}';
    expect(matched(text, [rename])).toEqual(parsed(text, [rename]));
    expect(matched(text, [rename])?.prompt.length).toBe(2);
  });

  it.each([
    ["a list of parts", { ...plain, messages: [{ role: "user", content: [] }] }],
    ["no content", { ...plain, messages: [{ role: "user", content: null }] }],
    ["a further member of a message", { ...plain, messages: [{ ...user, name: "Ann" }] }],
    ["a message of a tool", { ...plain, messages: [{ role: "tool", content: "a" }] }],
    ["a message of no role", { ...plain, messages: [{ role: "other", content: "a" }] }],
    ["no message", { ...plain, messages: [] }],
    ["no model", { messages: [user] }],
    ["a model that is no text", { ...plain, model: 1 }],
    ["a setting that costs", { ...plain, service_tier: "flex" }],
    ["a setting in another case", { ...plain, MAX_TOKENS: 1 }],
    ["tools", { ...plain, tools: [] }],
    ["several choices", { ...plain, n: 2 }],
    ["a cap of nothing", { ...plain, max_tokens: 0 }],
    ["a cap with a fraction", { ...plain, max_tokens: 1.5 }],
    ["a cap that is no number of JavaScript", { ...plain, max_tokens: 9_007_199_254_740_992 }],
    ["a setting that is null", { ...plain, stream: null }],
    ["more than 4,096 characters", { ...plain, user: "x".repeat(4_096) }],
  ])("is none with %s", (_, body) => {
    expect(readPlainRequest(JSON.stringify(body))).toBeUndefined();
  });

  it.each([
    [
      "a setting twice",
      '{"model":"m","messages":[{"role":"user","content":"a"}],"max_tokens":1,"user":"\u2028","max_tokens":2}',
    ],
    [
      "messages twice",
      '{"messages":[{"role":"user","content":"a"}],"model":"m","messages":[{"role":"user","content":"b"}]}',
    ],
    ["a model twice", '{"model":"m","messages":[{"role":"user","content":"a"}],"model":"n"}'],
    ["a model before and behind", '{"model":"m","model":"n","messages":[{"role":"user","content":"a"}]}'],
    ["a name with an escape", '{"mod\\u0065l":"m","messages":[{"role":"user","content":"a"}]}'],
    ["a byte order mark", `\ufeff${JSON.stringify(plain)}`],
    ["more behind it", `${JSON.stringify(plain)} x`],
  ])("is none with %s", (_, text) => {
    expect(readPlainRequest(text)).toBeUndefined();
  });
});

const texts = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.constantFrom('"', "\\", "\n", "{", ",", '{"role":'),
  ),
});
const bodies = fc.record(
  {
    model: texts,
    messages: fc.array(
      fc.record({ role: fc.constantFrom("system", "developer", "user", "assistant"), content: texts }),
      { minLength: 1, maxLength: 4 },
    ),
    temperature: fc.double({ noNaN: true, noDefaultInfinity: true }),
    max_tokens: fc.integer({ min: 1 }),
    max_completion_tokens: fc.integer({ min: 1 }),
    user: texts,
    stream: fc.boolean(),
    stream_options: fc.record({ include_usage: fc.boolean() }),
  },
  { requiredKeys: ["model", "messages"] },
);
const change = fc.constantFrom<MemberChange>(
  rename,
  { name: "model", value: "up" },
  { name: "max_tokens", value: 7 },
  { name: "max_completion_tokens", value: undefined },
  { name: "stream_options", value: { include_usage: true } },
  { name: "reasoning_effort", value: "low" },
);
const changes = fc.uniqueArray(change, { selector: ({ name }) => name });

it("is what the parser and the schema make of it, whatever is changed, and of what is broken nothing else", () => {
  let broken = 0;
  fc.assert(
    fc.property(
      bodies,
      changes,
      fc.boolean(),
      fc.nat(),
      fc.nat(3),
      fc.string(),
      (body, changed, late, place, cut, put) => {
        const { model, messages, ...others } = body;
        const whole = JSON.stringify(late ? { messages, model, ...others } : { model, messages, ...others });
        expect(matched(whole, changed)).toEqual(parsed(whole, changed));
        const at = place % whole.length;
        const mutated = whole.slice(0, at) + put + whole.slice(at + cut);
        const match = matched(mutated, changed);
        if (match === undefined) broken += 1;
        else expect(match).toEqual(parsed(mutated, changed));
      },
    ),
    { numRuns: runs(3_000) },
  );
  expect(broken).toBeGreaterThan(runs(3_000) / 6);
});

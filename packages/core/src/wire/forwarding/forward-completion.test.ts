import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { runs } from "../../../test-support/property-runs.ts";
import { byteLength } from "../bytes.ts";
import { normalizeCompletion } from "../normalize-completion.ts";
import { forwardCompletion } from "./forward.ts";
import { shortcuts } from "./shortcuts.ts";
import { turnOffShortcuts } from "./turn-off-shortcuts.ts";

afterEach(() => {
  shortcuts.reference = undefined;
});

const model = { id: "public", idJson: '"public"' };

/** The result for a text; undefined if it is not JSON. */
function forward(text: string, source: object) {
  try {
    return forwardCompletion({ text, parse: () => JSON.parse(text), source }, model);
  } catch {
    return undefined;
  }
}

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const message = { role: "assistant", content: "hi" };
const choice = { index: 0, message, finish_reason: "stop" };
const first = { id: "c", object: "chat.completion", created: 1, model: "up", choices: [choice], usage };

it("parses every completion if shortcuts are off", () => {
  const text = JSON.stringify(first);
  const source = {};
  for (let i = 0; i < 3; i++) expect(forward(text, source)).toHaveProperty("forwarded");
  turnOffShortcuts();
  expect(forward(text, source)).toEqual({ parsed: first });
});

it("does not mix the shapes of two sources, whose public models may differ", () => {
  const text = JSON.stringify(first);
  const source = {};
  for (let i = 0; i < 3; i++) forward(text, source);
  expect(forward(text, source)).toMatchObject({ forwarded: { completion: undefined } });
  expect(forward(text, {})).toMatchObject({ forwarded: { completion: { model: "public" } } });
});

const call = { id: "call", type: "function", function: { name: "f", arguments: "{}" } };
const values = fc.record({
  id: fc.string(),
  created: fc.oneof(fc.integer({ min: 1 }), fc.constantFrom<unknown>(0, 1.5, 1e300, null)),
  model: fc.string(),
  content: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(null, '"', "\\", "\n", "{", '"error":')),
  calls: fc.oneof(
    fc.constant(undefined),
    fc.array(fc.constantFrom<unknown>(call, { ...call, id: "" }, null, 1), { maxLength: 2 }),
  ),
  prompt: fc.nat(1_000_000),
  output: fc.nat(1_000_000),
  more: fc.jsonValue({ maxDepth: 2 }),
});
type Values = typeof values extends fc.Arbitrary<infer T> ? T : never;

const complete = ({ content, calls, prompt, output, more, ...envelope }: Values, indent: number) =>
  JSON.stringify(
    {
      ...envelope,
      object: "chat.completion",
      choices: [{ ...choice, message: { ...message, content, tool_calls: calls, refusal: null }, logprobs: more }],
      usage: { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output, cost: 0.5 },
      system_fingerprint: null,
    },
    undefined,
    indent,
  );

/** Expects a forwarded text to equal the result of the parser and the normalizer. True if it was forwarded. */
function expectSame(text: string, source: object): boolean {
  const found = forward(text, source);
  if (found === undefined || "parsed" in found) return false;
  const normalized = normalizeCompletion(JSON.parse(text), { model: "public", id: "x", created: 0 });
  const { json, growth, completion, usage: counts } = found.forwarded;
  expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(normalized?.completion)));
  expect(counts).toEqual(normalized?.usage);
  if (completion !== undefined) expect(completion).toEqual(normalized?.completion);
  if (growth !== undefined) expect(byteLength(json)).toBe(byteLength(text) + growth);
  return true;
}

it("returns the same as the parser and the normalizer, for completions of any shape and for invalid ones", () => {
  let forwarded = 0;
  const puts = fc.constantFrom("", "\\u0061", "\n", '"', ",", "}", "]", "0", "-", ".0", "e0", '"error":1,', '"id":1,');
  fc.assert(
    fc.property(values, values, fc.nat(2), fc.nat(), fc.nat(2), puts, (one, other, indent, place, cut, put) => {
      const source = {};
      const text = complete(other, indent);
      const at = place % text.length;
      for (const given of [complete(one, indent), complete(one, indent), text]) expectSame(given, source);
      if (expectSame(text, source)) forwarded += 1;
      expectSame(text.slice(0, at) + put + text.slice(at + cut), source);
    }),
    { numRuns: runs(3_000) },
  );
  expect(forwarded).toBeGreaterThan(runs(3_000) / 10);
});

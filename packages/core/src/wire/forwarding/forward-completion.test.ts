import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { runs } from "../../../test-support/property-runs.ts";
import { normalizeCompletion } from "../normalize-completion.ts";
import { forwardCompletion } from "./forward-completion.ts";
import { shortcuts } from "./shortcuts.ts";
import { turnOffShortcuts } from "./turn-off-shortcuts.ts";

afterEach(() => {
  shortcuts.reference = undefined;
});

const model = { id: "public", idJson: '"public"' };

/** The result for a text; undefined if it is not JSON. */
function forward(text: string) {
  try {
    return forwardCompletion(text, JSON.parse(text), model);
  } catch {
    return undefined;
  }
}

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const message = { role: "assistant", content: "hi" };
const choice = { index: 0, message, finish_reason: "stop" };
const first = { id: "c", object: "chat.completion", created: 1, model: "up", choices: [choice], usage };

it("leaves every completion to the normalizer if shortcuts are off", () => {
  const text = JSON.stringify(first);
  expect(forward(text)).toMatchObject({ completion: { model: "public" } });
  turnOffShortcuts();
  expect(forward(text)).toBeUndefined();
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
function expectSame(text: string): boolean {
  const found = forward(text);
  if (found === undefined) return false;
  const normalized = normalizeCompletion(JSON.parse(text), { model: "public", id: "x", created: 0 });
  const { json, completion, usage: counts } = found;
  expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(normalized?.completion)));
  expect(counts).toEqual(normalized?.usage);
  expect(completion).toEqual(normalized?.completion);
  return true;
}

it("returns the same as the parser and the normalizer, for completions of any shape and for invalid ones", () => {
  let forwarded = 0;
  const puts = fc.constantFrom("", "\\u0061", "\n", '"', ",", "}", "]", "0", "-", ".0", "e0", '"error":1,', '"id":1,');
  fc.assert(
    fc.property(values, fc.nat(2), fc.nat(), fc.nat(2), puts, (given, indent, place, cut, put) => {
      const text = complete(given, indent);
      const at = place % text.length;
      if (expectSame(text)) forwarded += 1;
      expectSame(text.slice(0, at) + put + text.slice(at + cut));
    }),
    { numRuns: runs(3_000) },
  );
  expect(forwarded).toBeGreaterThan(runs(3_000) / 10);
});

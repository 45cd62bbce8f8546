import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test-support/property-runs.ts";
import { CompletionTemplates } from "./completion-templates.ts";
import { findModel } from "./find-model.ts";
import { asCanonicalCompletion } from "./whole-completion.ts";

const publicModel = '"public"';

/** The result for a text that no template matches; undefined if it needs more changes than another name. */
function taken(text: string) {
  const model = findModel(text);
  const whole = asCanonicalCompletion(parse(text), "public");
  if (model === undefined || whole === undefined) return undefined;
  return {
    model,
    match: {
      json: text.slice(0, model.start) + publicModel + text.slice(model.end),
      growth: publicModel.length - (model.end - model.start),
      usage: whole.usage,
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function learned(...texts: readonly string[]): CompletionTemplates {
  const templates = new CompletionTemplates();
  // The first is not learned from.
  for (const text of [texts[0] ?? "", ...texts]) {
    const model = findModel(text);
    if (model === undefined || taken(text) === undefined) expect.fail(`Nothing is learned from ${text}.`);
    templates.learn(text, model, publicModel);
  }
  return templates;
}

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const message = { role: "assistant", content: "hi" };
const choice = { index: 0, message, finish_reason: "stop" };
const envelope = { id: "c", object: "chat.completion", created: 1, model: "up", system_fingerprint: "fp" };
const first = { ...envelope, choices: [choice], usage };
const text = JSON.stringify(first);

describe("a template", () => {
  it.each([
    ["itself", {}],
    ["another id and time", { id: "chatcmpl-😀", created: 1_741_570_283 }],
    ["another content", { choices: [{ ...choice, message: { ...message, content: '"\\\n\u0001ä😀\ud800' } }] }],
    ["no content", { choices: [{ ...choice, message: { ...message, content: "" } }] }],
    ["other counts", { usage: { prompt_tokens: 0, completion_tokens: 100_000_000, total_tokens: 100_000_000 } }],
  ])("knows a completion with %s", (_, more) => {
    const other = JSON.stringify({ ...first, ...more });
    expect(learned(text).match(other)).toEqual(taken(other)?.match);
  });

  it.each([
    ["another model", { model: "other" }],
    ["another end", { choices: [{ ...choice, finish_reason: "length" }] }],
    ["another member", { choices: [{ ...choice, logprobs: null }] }],
    ["a second choice", { choices: [choice, { ...choice, index: 1 }] }],
    ["content of another type", { choices: [{ ...choice, message: { ...message, content: null } }] }],
    ["an empty id", { id: "" }],
    ["no time", { created: 0 }],
    ["counts that do not sum up", { usage: { ...usage, total_tokens: 4 } }],
    [
      "more tokens than there can be",
      { usage: { prompt_tokens: 1, completion_tokens: 1e9 + 1, total_tokens: 1e9 + 2 } },
    ],
    ["an error", { error: "x" }],
  ])("leaves one with %s to the parser", (_, more) => {
    expect(learned(text).match(JSON.stringify({ ...first, ...more }))).toBeUndefined();
  });

  it.each([
    ["a count with a fraction", text.replace(":2,", ":2.0,")],
    ["a count with a leading zero", text.replace(":2,", ":02,")],
    ["a control character", text.replace('"hi"', '"h\ni"')],
    ["an escape that is none", text.replace('"hi"', '"h\\i"')],
    ["an escape that breaks off", text.replace('"hi"', '"h\\u12"')],
    ["more behind it", `${text}x`],
    ["an end that is missing", text.slice(0, -1)],
    ["a line break behind it", `${text}\n`],
  ])("leaves %s to the parser", (_, other) => {
    expect(learned(text).match(other)).toBeUndefined();
  });

  it("escapes the constant text in its regular expression", () => {
    const odd = JSON.stringify({ ...first, "a.b*(c)[d]{e}|^$\\/-+?": null, model: "up/a+b(c)" });
    // The name has a backslash, which nothing is learned from, so it is taken out of it.
    const plain = odd.replace("\\\\", "");
    expect(learned(plain).match(plain)).toEqual(taken(plain)?.match);
    expect(learned(plain).match(plain.replace("a.b", "aXb"))).toBeUndefined();
  });

  it("matches a text of only escapes, and skips one over the length limit", () => {
    const withContent = (content: string) =>
      JSON.stringify({ ...first, choices: [{ ...choice, message: { ...message, content } }] });
    const long = withContent("\n".repeat(32_000));
    expect(learned(text).match(long)).toEqual(taken(long)?.match);
    expect(learned(text).match(withContent("\n".repeat(33_000)))).toBeUndefined();
  });

  it("does not match a long text that is invalid at its end", () => {
    const content = 'a"\\'.repeat(10_000);
    const long = JSON.stringify({ ...first, choices: [{ ...choice, message: { ...message, content } }] });
    expect(learned(text).match(`${long.slice(0, -1)},"x":1}`)).toBeUndefined();
  });
});

describe("the templates of a target", () => {
  it("match several shapes, with the usage in any position", () => {
    const calls = [{ id: "call", type: "function", function: { name: "f", arguments: "{}" } }];
    const called = { ...first, choices: [{ ...choice, message: { ...message, content: null, tool_calls: calls } }] };
    const shapes = [
      text,
      JSON.stringify(called, undefined, 2),
      JSON.stringify({ usage, cost: -1.5e-3, ...envelope, choices: [choice] }),
    ];
    const templates = learned(...shapes);
    for (const shape of shapes) expect(templates.match(shape)).toEqual(taken(shape)?.match);
    expect(templates.match(shapes[2]?.replace("-0.0015", "2e+7") ?? "")?.json).toContain('"cost":2e+7,');
    expect(templates.match(shapes[1]?.replace('"call"', '""') ?? "")).toBeUndefined();
  });

  it("start with the second answer, since a target may see only one", () => {
    const templates = new CompletionTemplates();
    const model = findModel(text) ?? expect.fail();
    templates.learn(text, model, publicModel);
    expect(templates.match(text)).toBeUndefined();
    templates.learn(text, model, publicModel);
    expect(templates.match(text)).toEqual(taken(text)?.match);
  });

  it("drop the least recently matched shape, and rarely learn if none matches", () => {
    const shapes = Array.from({ length: 32 + 64 + 2 }, (_, i) => JSON.stringify({ ...first, [`more${i}`]: null }));
    const known = (count: number) => {
      const templates = learned(...shapes.slice(0, count));
      return shapes.flatMap((shape, i) => (templates.match(shape) === undefined ? [] : i));
    };
    expect(known(10)).toEqual([6, 7, 8, 9]);
    expect(known(32 + 64)).toEqual([28, 29, 30, 31]);
    expect(known(32 + 65)).toEqual([29, 30, 31, 96]);
  });

  it("learn nothing from lists of values or from a long text", () => {
    const logprobs = Array.from({ length: 100 }, (_, i) => i);
    for (const more of [{ logprobs }, { more: "x".repeat(5_000) }]) {
      const shape = JSON.stringify({ ...first, ...more });
      expect(learned(shape).match(shape)).toBeUndefined();
    }
  });
});

const values = fc.record({
  id: fc.string({ minLength: 1 }),
  created: fc.integer({ min: 1 }),
  content: fc.string({
    unit: fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      fc.constantFrom('"', "\\", "\n", "{", ","),
    ),
  }),
  prompt: fc.nat(1_000_000),
  completion: fc.nat(1_000_000),
  cached: fc.nat(1),
  cost: fc.double({ noNaN: true, noDefaultInfinity: true }),
});
type Values = typeof values extends fc.Arbitrary<infer T> ? T : never;

const complete = ({ id, created, content, prompt, completion, cached, cost }: Values, indent: number) =>
  JSON.stringify(
    {
      id,
      object: "chat.completion",
      created,
      model: "up",
      choices: [{ index: 0, message: { role: "assistant", content, refusal: null }, finish_reason: "stop" }],
      usage: {
        prompt_tokens: prompt + 1,
        completion_tokens: completion,
        total_tokens: prompt + 1 + completion,
        prompt_tokens_details: { cached_tokens: cached },
        cost,
      },
      service_tier: "default",
      system_fingerprint: null,
    },
    undefined,
    indent,
  );

it("returns the same as the parser for every completion of a shape, and never accepts an invalid one", () => {
  let broken = 0;
  fc.assert(
    fc.property(values, values, fc.nat(2), fc.nat(), fc.nat(3), fc.string(), (one, other, indent, place, cut, put) => {
      const templates = learned(complete(one, indent));
      const whole = complete(other, indent);
      expect(templates.match(whole)).toEqual(taken(whole)?.match);
      const at = place % whole.length;
      const changed = whole.slice(0, at) + put + whole.slice(at + cut);
      const match = templates.match(changed);
      if (match === undefined) broken += 1;
      else expect(match).toEqual(taken(changed)?.match);
    }),
    { numRuns: runs(3_000) },
  );
  expect(broken).toBeGreaterThan(runs(3_000) / 6);
});

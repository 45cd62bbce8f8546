import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../../test-support/property-runs.ts";
import { normalizeCompletion } from "../normalize-completion.ts";
import { asCanonicalCompletion } from "./forward-completion.ts";

const call = { id: "call_1", type: "function", function: { name: "look_up", arguments: "{}" } };
const whole = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_741_570_283,
  model: "up",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "hello", refusal: null },
      logprobs: null,
      finish_reason: "stop",
    },
    { index: 1, message: { role: "assistant", content: null, tool_calls: [call] }, finish_reason: "tool_calls" },
  ],
  usage: {
    prompt_tokens: 2,
    completion_tokens: 3,
    total_tokens: 5,
    prompt_tokens_details: { cached_tokens: 1 },
    completion_tokens_details: null,
  },
};
const identity = { model: "public", id: "chatcmpl-made", created: 1_700_000_000 };

it("accepts a completion that needs another model name and a fingerprint", () => {
  const given = structuredClone(whole);
  expect(asCanonicalCompletion(given, "public")?.completion).toBe(given);
  expect(given).toEqual({ ...whole, model: "public", system_fingerprint: null });
});

it("returns the same as the normalizer, or leaves the value to it", () => {
  let taken = 0;
  fc.assert(
    fc.property(
      changed(whole, fc.constantFrom(undefined, null, "", "x", 0, 1, -1, 1.5, {}, [], true, 3e9)),
      (given) => {
        const normalized = normalizeCompletion(structuredClone(given), identity);
        const before = structuredClone(given);
        const found = asCanonicalCompletion(given, identity.model);
        if (found === undefined) expect(given).toEqual(before);
        else {
          taken += 1;
          expect(found).toEqual(normalized);
        }
      },
    ),
    { numRuns: runs(3_000) },
  );
  expect(taken).toBeGreaterThan(runs(3_000) / 30);
});

/** A value of JSON with one of its values, at any depth, replaced. */
function changed(value: unknown, by: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const paths = pathsOf(value);
  return fc.tuple(fc.constantFrom(...paths), by).map(([path, other]) => replaceAt(structuredClone(value), path, other));
}

type Path = readonly string[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))];
}

function replaceAt(value: unknown, [name, ...rest]: Path, other: unknown): unknown {
  if (name === undefined) return other;
  if (typeof value !== "object" || value === null) return value;
  const member: unknown = Reflect.get(value, name);
  if (rest.length > 0 || other !== undefined) Reflect.set(value, name, replaceAt(member, rest, other));
  else if (Array.isArray(value)) value.splice(Number(name), 1);
  else Reflect.deleteProperty(value, name);
  return value;
}

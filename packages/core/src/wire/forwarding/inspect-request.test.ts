import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Removal, removedRanges } from "../edits.ts";
import { scanJson } from "../json-members.ts";
import { inspectRequest } from "./inspect-request.ts";
import type { Inspection } from "./inspection.ts";
import { RequestText } from "./request-text.ts";

const encoder = new TextEncoder();

function inspect(text: string): Inspection {
  const inspection = inspectRequest(encoder.encode(text));
  if ("exceeded" in inspection) throw new Error(`exceeded ${inspection.exceeded}`);
  return inspection;
}

const values = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, { type: "ephemeral" }, { type: "ephemeral", ttl: "1h" }),
);
const member = fc.tuple(fc.constantFrom("role", "content", "name", "tool_calls", "cache_control", "x", "é"), values);
const uniqueMembers = fc.uniqueArray(member, { selector: ([name]) => name, maxLength: 7 }).map(Object.fromEntries);
const part = fc.oneof(
  uniqueMembers,
  fc.record({ type: fc.constant("b"), content: fc.array(uniqueMembers, { maxLength: 3 }) }),
);
const message = fc
  .tuple(uniqueMembers, fc.array(part, { maxLength: 3 }))
  .map(([more, content]) => ({ ...more, content }));
const request = fc.record({ model: fc.string(), messages: fc.array(message, { maxLength: 4 }), x: fc.jsonValue() });

describe("inspectRequest", () => {
  it("finds the same members and applies the same limits as scanJson", () => {
    fc.assert(
      fc.property(
        fc.oneof(request, fc.jsonValue()),
        fc.nat(60),
        fc.nat(30),
        fc.nat(12),
        (value, most, containers, depth) => {
          const bytes = encoder.encode(JSON.stringify(value, null, most % 2));
          const limits = { maxValues: most, maxContainers: containers, maxMembers: 6, maxDepth: depth };
          const scan = scanJson(bytes, limits);
          const inspection = inspectRequest(bytes, limits);
          if ("exceeded" in scan) expect(inspection).toHaveProperty("exceeded");
          else expect(inspection).toMatchObject({ members: scan.members });
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("removes the thoughts of messages, under each of their names, and of nothing else", () => {
    const rest = { role: "assistant", content: [{ type: "text", text: "a", reasoning: "b" }] };
    const thoughts = { reasoning_content: "c", reasoning: null, reasoning_details: [{ reasoning: "d" }] };
    const text = JSON.stringify({ messages: [{ ...rest, ...thoughts }], reasoning: "e" });
    const { members, removals } = inspect(text);
    const isRemoved = ({ why }: Removal) => why === "thoughts";
    const changed = new RequestText(encoder.encode(text), { members, removals }, undefined).changed({
      members: [],
      isRemoved,
    });
    expect(JSON.parse(new TextDecoder().decode(changed))).toEqual({ messages: [rest], reasoning: "e" });
  });

  it("removes nulls and marks of the inspected objects, and nothing else, for any choice of them", () => {
    fc.assert(
      fc.property(request, fc.nat(4), fc.nat(), (value, indent, choice) => {
        const text = JSON.stringify(value, null, indent);
        const { members, removals } = inspect(text);
        const chosen = removals.filter((_, index) => (choice >> (index % 8)) & 1);
        const changed = new RequestText(encoder.encode(text), { members, removals }, undefined).changed({
          members: [],
          isRemoved: (removal: Removal) => chosen.includes(removal),
        });
        const places = new Set(chosen.map(({ keyStart }) => keyStart));
        let rest: unknown;
        expect(() => {
          rest = JSON.parse(new TextDecoder().decode(changed));
        }).not.toThrow();
        if (places.size === 0) expect(rest).toEqual(JSON.parse(text));
        if (chosen.length === removals.length) expect(rest).toEqual(withoutAll(JSON.parse(text)));
        expect(inspect(new TextDecoder().decode(changed)).removals).toHaveLength(removals.length - chosen.length);
        expect(removedRanges(chosen)).toHaveLength(chosen.length);
      }),
      { numRuns: 3_000 },
    );
  });

  it("decodes escapes in names, and distinguishes names with the same hash", () => {
    expect(inspect('{"\\u006dodel":"x","Aa":1,"BB":2,"AaBB":3,"BBAa":4}').misspelt).toBeUndefined();
    expect(inspect('{"model":"x","\\u006dodel":"y"}').misspelt).toEqual({
      param: "model",
      name: "model",
      isRepeated: true,
    });
  });

  it.each([
    '{"messages":[{"role"',
    '{"messages":[{"role":"user","content":[{',
    '{"messages":[,]}',
    '{"messages":[{]}',
    '{"tools":{"function":[}',
    '{"messages":[{"cache_control":',
    '{"\\u00',
    '{"messages":[{}{}',
  ])("ends for %s, which is no JSON", (text) => {
    expect(inspectRequest(encoder.encode(text))).toHaveProperty("members");
  });
});

/** A request without its nulls and marks, wherever those are inspected. */
function withoutAll(value: { messages: readonly object[] }): unknown {
  const strip = (object: object, nullable: readonly string[]): unknown =>
    Object.fromEntries(
      Object.entries(object)
        .filter(([name, inner]) => name !== "cache_control" && !(nullable.includes(name) && inner === null))
        .map(([name, inner]) => [name, inside(name, inner, nullable.length > 0)]),
    );
  const inside = (name: string, inner: unknown, isMessage: boolean): unknown => {
    if ((name !== "content" && !(isMessage && name === "tool_calls")) || !Array.isArray(inner)) return inner;
    return inner.map((each: unknown) =>
      typeof each === "object" && each !== null && !Array.isArray(each)
        ? name === "tool_calls"
          ? Object.fromEntries(Object.entries(each).filter(([key]) => key !== "cache_control"))
          : strip(each, [])
        : each,
    );
  };
  return { ...value, messages: value.messages.map((each) => strip(each, ["name", "tool_call_id", "tool_calls"])) };
}

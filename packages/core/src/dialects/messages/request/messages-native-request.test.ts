import { describe, expect, it } from "vitest";
import { parseLosslessJson } from "../../../wire/lossless-json.ts";
import { areSigned, leftOutMembers } from "./messages-native-request.ts";
import { readMessagesRequest } from "./messages-schema.ts";

/** Returns the JSON of each changed member, with null for one that is removed, and the names that are told. */
function leftOut(members: string, { mayThink = true, mayCompact = false } = {}) {
  const read = readMessagesRequest(
    Object(parseLosslessJson(`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"Hi"}],${members}}`)),
    false,
  );
  if ("problem" in read) throw new Error(JSON.stringify(read.problem));
  const { request } = read;
  const { changes, names } = leftOutMembers(request, () => request, {
    mayThink,
    mayCompact,
    isSigned: areSigned(request.messages),
  });
  return { names, changes: Object.fromEntries(changes.map(({ name, value, json }) => [name, value && json])) };
}

describe("leftOutMembers", () => {
  it("changes nothing in a request that targets take as it is", () => {
    expect(leftOut('"thinking":{"type":"adaptive"},"context_management":{"edits":[{"type":"clear_x"}]}')).toEqual({
      names: [],
      changes: {},
    });
  });

  it("removes members that are null", () => {
    expect(leftOut('"metadata":null,"system":null')).toEqual({
      names: [],
      changes: { metadata: undefined, system: undefined },
    });
  });

  it("removes thinking for a model that does not reason, with what needs it", () => {
    const format = '"format":{"type":"json_schema","schema":{"maximum":12345678901234567890}}';
    const edits = '"context_management":{"edits":[{"type":"clear_thinking_20251015"}]}';
    const members = `"thinking":{"type":"adaptive"},"output_config":{"effort":"high",${format}},${edits}`;
    expect(leftOut(members, { mayThink: false })).toEqual({
      names: ["thinking", "context_management"],
      changes: { thinking: undefined, output_config: `{${format}}`, context_management: undefined },
    });
    expect(leftOut('"thinking":{"type":"disabled"}', { mayThink: false }).names).toEqual([]);
  });

  it("removes the compaction of the context, and keeps other edits", () => {
    const edits = '{"edits":[{"type":"compact_20260112"},{"type":"clear_tool_uses_20250919","keep":1}]}';
    expect(leftOut(`"context_management":${edits},"compaction":{}`)).toEqual({
      names: ["compaction", "context_management"],
      changes: {
        compaction: undefined,
        context_management: '{"edits":[{"type":"clear_tool_uses_20250919","keep":1}]}',
      },
    });
  });

  it("keeps the compaction of the context if it is allowed, and no thinking with it", () => {
    const edits = '{"edits":[{"type":"compact_20260112"},{"type":"clear_thinking_20251015"}]}';
    const members = `"context_management":${edits},"compaction":{},"thinking":{"type":"adaptive"}`;
    expect(leftOut(members, { mayCompact: true })).toEqual({ names: [], changes: {} });
    expect(leftOut(members, { mayCompact: true, mayThink: false })).toEqual({
      names: ["thinking", "context_management"],
      changes: { thinking: undefined, context_management: '{"edits":[{"type":"compact_20260112"}]}' },
    });
  });

  it("removes thoughts without a signature, and messages that have nothing else", () => {
    const thought = '{"type":"thinking","thinking":"Hm","signature":""}';
    const call = '{"type":"tool_use","id":"t","name":"n","input":{"id":12345678901234567890}}';
    const messages = `[{"role":"assistant","content":[${thought},${call}]},{"role":"assistant","content":[${thought}]}]`;
    expect(leftOut(`"messages":${messages}`).changes).toEqual({
      messages: `[{"role":"assistant","content":[${call}]}]`,
    });
  });
});

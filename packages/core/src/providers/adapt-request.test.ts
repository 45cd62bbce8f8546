import { describe, expect, it } from "vitest";
import { decodeUtf8, encodeUtf8 } from "../wire/bytes.ts";
import { adaptRequest } from "./adapt-request.ts";
import { restoreNames } from "./tool-names.ts";
import type { UpstreamProfile } from "./upstream-profiles.ts";

const longName = `mcp__${"server_".repeat(12)}search`;
const otherName = `mcp__${"server_".repeat(12)}fetch`;

function adapt(request: unknown, limits: UpstreamProfile, usesTools = true) {
  const { body, names } = adaptRequest(encodeUtf8(JSON.stringify(request)), limits, usesTools);
  return { request: JSON.parse(decodeUtf8(body) ?? ""), names };
}

const calling = (id: string, name = "f") => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }],
});
const tool = (name: string) => ({ type: "function", function: { name, parameters: { type: "object" } } });

describe("the ids of calls for Mistral", () => {
  const limits: UpstreamProfile = { callIds: "nine_alphanumeric" };

  it("are nine letters or digits, the same in the call and its result, and in every turn", () => {
    const ids = ["call_PTLP8xhu3uwZk4l3nlnrrJha", "toolu_01", "functions.f:0", "turn1_0"];
    const messages = ids.flatMap((id) => [calling(id), { role: "tool", tool_call_id: id, content: "1" }]);
    const { request } = adapt({ messages }, limits);
    const called: string[] = request.messages.map(
      (each: Partial<ReturnType<typeof calling>> & { tool_call_id?: string }) =>
        each.tool_call_id ?? each.tool_calls?.[0]?.id,
    );
    for (const [at, id] of called.entries()) {
      expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
      expect(id).toBe(called[at - (at % 2)]);
    }
    expect(new Set(called).size).toBe(ids.length);
    expect(adapt({ messages }, limits).request).toEqual(request);
  });

  it("stay if the upstream made them, as all else does, to the digit", () => {
    const body =
      '{"messages":[{"role":"tool","tool_call_id":"D681PevKs","content":"1"}],"n":1.0,"seed":12345678901234567890}';
    expect(decodeUtf8(adaptRequest(encodeUtf8(body), limits, false).body)).toBe(body);
  });
});

describe("names of tools that are too long", () => {
  const limits: UpstreamProfile = { toolNameLength: 64 };

  it("are shortened wherever they stand, and put back in an answer", () => {
    const { request, names } = adapt(
      {
        messages: [calling("1", longName), { role: "tool", tool_call_id: "1", content: "1" }],
        tools: [tool(longName), tool(otherName), tool("f")],
        tool_choice: { type: "function", function: { name: otherName } },
      },
      limits,
    );
    const [first, second, third] = request.tools.map((each: ReturnType<typeof tool>) => each.function.name);
    expect([first.length, second.length, third]).toEqual([64, 64, "f"]);
    expect(first).toMatch(/^mcp__server_server_[\w-]+$/);
    expect(request.messages[0].tool_calls[0].function.name).toBe(first);
    expect(request.tool_choice.function.name).toBe(second);
    expect(first).not.toBe(second);
    const answer = { choices: [{ message: { tool_calls: calling("2", second).tool_calls as never } }] };
    expect(names && restoreNames(answer, names)).toMatchObject({
      choices: [{ message: { tool_calls: [{ id: "2", function: { name: otherName } }] } }],
    });
  });

  it("are shortened among the allowed tools", () => {
    const choice = { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [tool(longName)] } };
    const { request } = adapt({ tools: [tool(longName)], tool_choice: choice }, limits);
    expect(request.tool_choice.allowed_tools.tools[0].function.name).toBe(request.tools[0].function.name);
  });

  it("are not looked for in a request without tools, and no request without them is written anew", () => {
    const body = encodeUtf8(JSON.stringify({ tools: [tool("f")], messages: [calling("1", longName)] }));
    expect(adaptRequest(body, limits, false)).toEqual({ body, names: undefined });
    const short = encodeUtf8(JSON.stringify({ tools: [tool("f".repeat(64))] }));
    expect(adaptRequest(short, limits, true).body).toBe(short);
  });
});

describe("thoughts for an upstream that reads `reasoning`", () => {
  const limits: UpstreamProfile = { thoughts: "reasoning" };

  it("stand there, unless the message has that member too", () => {
    const { request } = adapt(
      {
        messages: [
          { role: "assistant", content: "a", reasoning_content: "b" },
          { role: "assistant", content: "a", reasoning_content: "b", reasoning: "c" },
        ],
      },
      limits,
    );
    expect(request.messages).toEqual([
      { role: "assistant", content: "a", reasoning: "b" },
      { role: "assistant", content: "a", reasoning: "c" },
    ]);
  });
});

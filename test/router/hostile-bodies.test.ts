import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";

function answering() {
  const tested = gatewayUnderTest();
  tested.provider.script = { complete: async () => completionOf("Hi") };
  return tested;
}

describe("a body that is nested far too deep", () => {
  it("is refused before a parser spends seconds and a gigabyte on it", async () => {
    const { chat, key } = answering();
    const secret = await key();
    const startedAt = performance.now();
    const response = await chat(secret, "[".repeat(10_000_000));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(response.status).toBe(400);
    expect((await response.json()).error.message).toContain("100 levels deep");
  });

  it("is 400 too when a parser of the host has read it", async () => {
    const { gateway, key } = answering();
    const parsedBody: unknown = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    const headers = { authorization: `Bearer ${await key()}` };
    const request = new Request("http://gateway.test/router/v1/chat/completions", { method: "POST", headers });
    const response = await gateway.fetch(request, { parsedBody });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({ code: "invalid_json" });
  });
});

describe("the message of a 400", () => {
  const message = { role: "user", content: "x" };
  const bodies: object[] = [
    { response_format: "json_object" },
    { response_format: { type: "json_schema", json_schema: 1 } },
    { messages: [{ ...message, tool_calls: [{ id: "1", type: "function", function: "f" }] }] },
    { messages: [{ ...message, content: ["x"] }] },
    { messages: [{ ...message, content: [{ type: "image_url", image_url: "https://x.test" }] }] },
    { tools: [{ type: "function", function: { name: "f", parameters: "{}" } }] },
    { tools: [{ type: "function", function: "f" }] },
    { stream_options: [] },
    { tool_choice: 7 },
    { n: "1" },
  ];

  it.each(bodies)("says in plain words what must change: %j", async (body) => {
    const { chat, key } = answering();
    const { error } = await (await chat(await key(), body)).json();
    expect(error.message).toMatch(/^`[\w.]+` (must be|is required)/);
  });
});

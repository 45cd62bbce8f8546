import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";

function answering() {
  const tested = gatewayUnderTest();
  tested.provider.script = { complete: async () => completionOf("Hi") };
  return tested;
}

describe("a body that is nested far too deeply", () => {
  it("is rejected before a parser uses seconds and a gigabyte for it", async () => {
    const { chat, key } = answering();
    const secret = await key();
    const before = process.cpuUsage();
    const response = await chat(secret, "[".repeat(10_000_000));
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
    expect(response.status).toBe(400);
    expect((await response.json()).error.message).toContain("100 levels deep");
  });

  it("is also rejected with 400 if a parser of the host has read it", async () => {
    const { gateway, key } = answering();
    const parsedBody: unknown = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    const headers = { authorization: `Bearer ${await key()}` };
    const request = new Request("http://gateway.test/router/v1/chat/completions", { method: "POST", headers });
    const response = await gateway.fetch(request, { parsedBody });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({ code: "invalid_json" });
  });
});

describe("a body with too many values", () => {
  const limits: [limit: string, make: (count: number) => string, most: number][] = [
    [
      "50,000 members",
      (count) => `{"metadata":{${Array.from({ length: count }, (_, at) => `"${at}x":0`).join()}}}`,
      50_000,
    ],
    ["100,000 objects and arrays", (count) => `{"a":[${Array(count).fill("{}").join()}]}`, 99_000],
    ["1,000,000 values", (count) => `{"a":[${Array(count).fill(0).join()}]}`, 999_000],
  ];

  it.each(limits)("is rejected above %s, as bytes and as parsed by the host", async (limit, make, most) => {
    const { gateway, chat, key } = answering();
    const secret = await key();
    const whole = (count: number): object => ({
      model: "plain",
      messages: [{ role: "user", content: "x" }],
      ...JSON.parse(make(count)),
    });
    expect((await chat(secret, JSON.stringify(whole(most)))).status).toBe(200);
    const over = whole(most + 1_001);
    const headers = { authorization: `Bearer ${secret}` };
    const request = new Request("http://gateway.test/router/v1/chat/completions", { method: "POST", headers });
    for (const response of [
      await chat(secret, JSON.stringify(over)),
      await gateway.fetch(request, { parsedBody: over }),
    ]) {
      expect(response.status).toBe(400);
      const { error } = await response.json();
      expect(error.code).toBe("invalid_json");
      expect(error.message).toContain(limit);
    }
  });

  it("is accepted below the limits: 300,000 numbers, or 100 tools", async () => {
    const { chat, key, provider } = answering();
    const secret = await key();
    const input = Array.from({ length: 200 }, (_, at) => Array(1_500).fill(at / 7));
    expect((await chat(secret, { input })).status).toBe(200);
    const parameters = {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p${at}`, { type: "string" }])),
    };
    const tools = Array.from({ length: 100 }, (_, at) => ({
      type: "function",
      function: { name: `f${at}`, parameters },
    }));
    expect((await chat(secret, { tools })).status).toBe(200);
    expect(provider.calls.at(-1)?.request.tools).toEqual(tools);
  });
});

describe("a body with so many values that it is parsed in steps", () => {
  /** 99,980 objects, no two of which have a member name in common. */
  const differing = `[${Array.from({ length: 99_980 }, (_, at) => `{"a${at}":1,"b${at}":2}`).join()}]`;
  const requestWith = (value: string): string =>
    `{"model":"plain","messages":[{"role":"user","content":"x"}],"a":${value}}`;

  it("lets later requests be finished before it", async () => {
    const { chat, key } = answering();
    const secret = await key();
    const finished: string[] = [];
    const note = async (name: string, body: string): Promise<void> => {
      expect((await chat(secret, body)).status).toBe(200);
      finished.push(name);
    };
    await Promise.all([
      note("large", requestWith(differing)),
      note("small", requestWith("1")),
      note("next", requestWith("2")),
    ]);
    expect(finished).toEqual(["small", "next", "large"]);
  });

  it("reaches the provider with the value that JSON.parse returns", async () => {
    const { chat, key, provider } = answering();
    const body = requestWith(differing);
    expect((await chat(await key(), body)).status).toBe(200);
    expect(provider.calls.at(-1)?.request["a"]).toEqual(JSON.parse(differing));
  });

  it("is rejected with 400 if it is not JSON, wherever the error is", async () => {
    const { chat, key } = answering();
    const secret = await key();
    for (const broken of [differing.replace("]", ",]"), `${differing}1`, differing.replace('"b99979":', '"b99979"')]) {
      const response = await chat(secret, requestWith(broken));
      expect(response.status).toBe(400);
      expect((await response.json()).error).toMatchObject({ code: "invalid_json" });
    }
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

  it.each(bodies)("says what to change: %j", async (body) => {
    const { chat, key } = answering();
    const { error } = await (await chat(await key(), body)).json();
    expect(error.message).toMatch(/^`[\w.]+` (must be|is required)/);
  });
});

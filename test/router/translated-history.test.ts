import type { NativeCall } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf, type Script, scriptedProvider } from "../support/scripted-provider.ts";

const url = "data:image/png;base64,iVBORw0KGgo=";
const image = { type: "image_url", image_url: { url } };
const moved = "The result is in the next message.";
const called = { id: "c", type: "function", function: { name: "look", arguments: "{}" } };
const asked = { role: "user", content: "Look" };

/** Histories with an image in the result of a tool, and what follows it, in each dialect. */
const histories: readonly (readonly [dialect: string, path: string, body: object])[] = [
  [
    "chat",
    "chat/completions",
    {
      messages: [
        asked,
        { role: "assistant", content: null, tool_calls: [called] },
        { role: "tool", tool_call_id: "c", content: [image] },
      ],
    },
  ],
  [
    "messages",
    "messages",
    {
      max_tokens: 9,
      messages: [
        asked,
        { role: "assistant", content: [{ type: "tool_use", id: "c", name: "look", input: {} }] },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "c",
              content: [
                {
                  type: "image",
                  source: { type: "base64", media_type: "image/png", data: url.slice(url.indexOf(",") + 1) },
                },
              ],
            },
          ],
        },
      ],
    },
  ],
  [
    "responses",
    "responses",
    {
      input: [
        asked,
        { type: "function_call", call_id: "c", name: "look", arguments: "" },
        { type: "function_call_output", call_id: "c", output: [{ type: "input_image", image_url: url }] },
      ],
    },
  ],
];

async function ask(path: string, body: object, script: Script = {}) {
  const tested = gatewayUnderTest();
  tested.provider.script = { complete: async () => completionOf("A cat."), ...script };
  const response = await post(tested, path, body);
  const [call] = tested.provider.calls;
  const encoded = call === undefined ? undefined : JSON.parse(new TextDecoder().decode(call.encoded()));
  const { status, headers } = response;
  return { status, dropped: headers.get("x-router-dropped"), messages: encoded?.messages, request: call?.request };
}

async function post({ gateway, key }: ReturnType<typeof gatewayUnderTest>, path: string, body: object) {
  const headers = { authorization: `Bearer ${await key()}`, "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify({ model: "plain", ...body }) };
  return gateway.fetch(new Request(`http://gateway.test/router/v1/${path}`, init));
}

describe.each(histories)("an image in the result of a tool, in the dialect %s", (_dialect, path, body) => {
  it("follows in the next message of the user, as text and as a value", async () => {
    const { status, messages, request } = await ask(path, body);
    expect(status).toBe(200);
    expect(messages.slice(2)).toEqual([
      { role: "tool", tool_call_id: "c", content: moved },
      { role: "user", content: [image] },
    ]);
    expect(request?.messages).toEqual(messages);
  });

  it("stays in it for a target that takes images there", async () => {
    const { messages } = await ask(path, body, { capabilities: { toolImages: true } });
    expect(messages.slice(2)).toEqual([{ role: "tool", tool_call_id: "c", content: [image] }]);
  });
});

describe("a history with what other tools left", () => {
  it.each([
    [
      "responses",
      {
        input: [asked, { type: "web_search_call", id: "ws_1" }, { type: "additional_tools", tools: [{ type: "mcp" }] }],
        tools: [{ type: "apply_patch" }],
      },
      "mcp, web_search_call",
    ],
    [
      "messages",
      {
        max_tokens: 9,
        messages: [
          asked,
          {
            role: "assistant",
            content: [
              { type: "server_tool_use", id: "s", name: "web_search", input: {} },
              { type: "text", text: "Yes." },
            ],
          },
          asked,
        ],
      },
      "server_tool_use",
    ],
  ])("is answered in the dialect %s, and says what was left out", async (path, body, dropped) => {
    expect(await ask(path, body)).toMatchObject({ status: 200, dropped });
  });

  it("keeps at a native target what the client runs, and leaves out what the host has not priced", async () => {
    const calls: NativeCall[] = [];
    const answer = {
      id: "resp_up",
      object: "response",
      status: "completed",
      output: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const provider = {
      ...scriptedProvider(),
      dialects: {
        responses: async (call: NativeCall) => {
          calls.push(call);
          return { kind: "json", body: new TextEncoder().encode(JSON.stringify(answer)) } as const;
        },
      },
    };
    const targets = [{ provider, model: "up" }];
    const tested = gatewayUnderTest({ models: [{ id: "plain", maxOutputTokens: 100, price: "free", targets }] });
    const own = [
      { type: "apply_patch" },
      { type: "local_shell" },
      { type: "shell", environment: { type: "local" } },
      { type: "tool_search", execution: "client" },
    ];
    const hosted = [
      { type: "shell", environment: { type: "container_auto" } },
      { type: "tool_search" },
      { type: "web_search" },
    ];
    const namespace = {
      type: "namespace",
      name: "n",
      tools: [{ type: "function", name: "f" }, { type: "code_interpreter" }],
    };
    const history = [asked, { type: "web_search_call", id: "ws_1" }, { type: "something_new", n: 1 }];
    const added = { type: "additional_tools", role: "developer", tools: [...own, ...hosted, namespace] };
    const body = { input: [...history, added], tools: [...own, ...hosted], tool_choice: { type: "shell" } };
    const response = await post(tested, "responses", body);
    expect([response.status, response.headers.get("x-router-dropped")]).toEqual([
      200,
      "shell, tool_search, web_search",
    ]);
    const sent = JSON.parse(new TextDecoder().decode(calls[0]?.encoded()));
    expect(sent.tools).toEqual(own);
    expect(sent.tool_choice).toEqual({ type: "shell" });
    const kept = { ...namespace, tools: namespace.tools.slice(0, 1) };
    expect(sent.input).toEqual([...history, { ...added, tools: [...own, kept] }]);
  });
});

import type { MessagesOptions } from "@tollgate/core";
import type { NativeCall } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { scriptedProvider } from "../support/scripted-provider.ts";

const betas = ["interleaved-thinking-2025-05-14", "compact-2026-01-12", "fast-mode-2026-02-01"];
const clearing = { type: "clear_tool_uses_20250919" };
const compacting = { type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } };
const request = { model: "claude", max_tokens: 10, messages: [{ role: "user", content: "Hi" }] };
const compacted = { ...request, compaction: { enabled: true }, context_management: { edits: [compacting, clearing] } };

/** Sends a request to a model whose provider speaks the dialect, and returns what the provider received. */
async function received(messages: MessagesOptions | undefined, body: object, path = "messages") {
  const calls: NativeCall[] = [];
  const answer = { id: "msg_1", type: "message", role: "assistant", model: "up", content: [], input_tokens: 7 };
  const native = async (call: NativeCall) => {
    calls.push(call);
    return { kind: "json", body: new TextEncoder().encode(JSON.stringify({ ...answer, usage })) } as const;
  };
  const usage = { input_tokens: 10, output_tokens: 5 };
  const provider = scriptedProvider({ capabilities: { pricedFields: ["speed"] } });
  const dialects = { messages: native, countTokens: native };
  const targets = [{ provider: Object.assign(provider, { dialects }), model: "up" }];
  const price = { input: "1", output: "2" };
  const { gateway, key } = gatewayUnderTest({
    models: [{ id: "claude", maxOutputTokens: 100, price, targets }],
    ...(messages && { messages }),
  });
  const headers = {
    "x-api-key": await key(),
    "content-type": "application/json",
    "anthropic-beta": betas.join(", "),
  };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await gateway.fetch(new Request(`http://gateway.test/router/v1/${path}`, init));
  expect(response.status).toBe(200);
  const [call] = calls;
  return {
    betas: call?.headers["anthropic-beta"]?.split(","),
    body: JSON.parse(new TextDecoder().decode(call?.encoded())),
    query: call?.query,
    dropped: response.headers.get("x-router-dropped"),
  };
}

describe("a beta that changes the price or the place", () => {
  it("is not sent on by default, and neither are the members that need it", async () => {
    expect(await received(undefined, compacted)).toMatchObject({
      betas: [betas[0]],
      body: { ...request, model: "up", context_management: { edits: [clearing] } },
      dropped: "compaction, context_management",
    });
    expect((await received({}, compacted)).body).not.toHaveProperty("compaction");
  });

  it.each(["messages", "messages/count_tokens"])("is sent on with them if the host allows it: %s", async (path) => {
    const sent = await received({ allowedBetas: ["compact"] }, compacted, path);
    expect(sent.betas).toEqual(betas.slice(0, 2));
    expect(sent.body).toEqual({ ...compacted, model: "up" });
    expect(sent.dropped).toBeNull();
  });

  it("is sent on with a member that would be refused, if the provider prices that", async () => {
    const sent = await received({ allowedBetas: ["fast-mode"] }, { ...compacted, speed: "fast" });
    expect(sent.betas).toEqual([betas[0], betas[2]]);
    expect(sent.body).toMatchObject({ speed: "fast" });
    expect(sent.body).not.toHaveProperty("compaction");
  });
});

it.each([
  ["?beta=true", { beta: "true" }],
  ["?key=tg_1&beta=true#top", { beta: "true" }],
  ["?beta=trueish", {}],
  ["?nobeta=true&beta=1", {}],
  ["", {}],
])("of the query %j, the provider receives %j", async (query, expected) => {
  expect((await received(undefined, request, `messages${query}`)).query).toEqual(expected);
  expect((await received(undefined, request, `messages/count_tokens${query}`)).query).toEqual(expected);
});

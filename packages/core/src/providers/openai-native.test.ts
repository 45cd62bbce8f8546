import { describe, expect, it } from "vitest";
import { Cancellation } from "../ports/cancellation.ts";
import type { NativeCall } from "../ports/provider-adapter.ts";
import type { TransportRequest } from "../ports/transport.ts";
import { decodeUtf8, encodeUtf8 } from "../wire/bytes.ts";
import { collect, fromReadableStream } from "./byte-streams.ts";
import { readEndpoint } from "./openai-endpoint.ts";
import { openaiNative } from "./openai-native.ts";

const endpoint = readEndpoint({ baseURL: "https://api.test/v1?api-version=2", apiKey: "sk-the-key-of-the-host" });
const responses = openaiNative(endpoint, "acme", "/responses");

/** Calls the upstream, which answers with `text`. */
async function answer(text: string, { type = "application/json", status = 200, stream = false } = {}) {
  const sent: TransportRequest[] = [];
  const call: NativeCall = {
    model: "upstream-model",
    stream,
    query: { beta: "true" },
    headers: { "openai-beta": "responses=v1", authorization: "Bearer key-of-the-client" },
    encoded: () => encodeUtf8('{"model":"upstream-model"}'),
    signal: new AbortController().signal,
    cancellation: new Cancellation(),
    connectMs: 1_000,
    requestId: "req-1",
    publicModel: "public-model",
    transport: async (request) => {
      sent.push(request);
      return {
        status,
        header: (name) => (name === "content-type" ? type : undefined),
        body: fromReadableStream(new Blob([text]).stream()),
      };
    },
  };
  return { sent, answer: await responses(call) };
}

describe("openaiNative", () => {
  it("posts the body beside /chat/completions with the host's key, whatever the client sent", async () => {
    const { sent, answer: given } = await answer('{"object":"response"}');
    const headers = { authorization: "Bearer sk-the-key-of-the-host", "openai-beta": "responses=v1" };
    expect(sent).toMatchObject([
      {
        method: "POST",
        url: "https://api.test/v1/responses?api-version=2",
        headers: { ...headers, "x-request-id": "req-1" },
      },
    ]);
    expect(given).toMatchObject({
      kind: "json",
      hidden: expect.arrayContaining(["api.test", "sk-the-key-of-the-host"]),
    });
  });

  it.each(["text/event-stream; charset=utf-8", "application/json"])(
    "returns an event stream sent as %s",
    async (type) => {
      const { answer: given } = await answer("event: a\ndata: {}\n\n", { stream: true, type });
      const read = given.kind === "stream" ? decodeUtf8(await collect(given.bytes, 1_000)) : given;
      expect(read).toBe("event: a\ndata: {}\n\n");
    },
  );

  it.each([
    ['{"error":{"code":"rate_limit_exceeded","message":"Slow down"}}', "overloaded"],
    ['{"object":"response"}', "invalid_response"],
    ["<html>", "invalid_response"],
    ["", "invalid_response"],
  ])("rejects %s in place of a stream as %s", async (text, failure) => {
    await expect(answer(text, { stream: true })).rejects.toMatchObject({ failure });
  });

  it("classifies an error status without showing the key, the host or the upstream's model", async () => {
    const message = "upstream-model at api.test refused sk-the-key-of-the-host";
    const failed = answer(JSON.stringify({ error: { message } }), { status: 400 });
    await expect(failed).rejects.toMatchObject({
      failure: "rejected",
      details: { clientMessage: "[removed] at [removed] refused [removed]" },
    });
  });
});

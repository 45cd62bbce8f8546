import type { NativeCall, TransportRequest } from "@tollgate/core/provider";
import { expect, it } from "vitest";
import { anthropic } from "./anthropic.ts";

/** Returns the URLs to which a call with this query is sent. */
async function urlsFor(query: NativeCall["query"]): Promise<readonly string[]> {
  const { dialects } = anthropic({ apiKey: "sk-ant-key", baseURL: "https://api.test/v1?version=2" });
  const sent: TransportRequest[] = [];
  const signal = new AbortController().signal;
  const call: NativeCall = {
    model: "m",
    stream: false,
    headers: {},
    query,
    encoded: () => new Uint8Array(),
    signal,
    cancellation: signal,
    connectMs: 1_000,
    requestId: "req-1",
    publicModel: "public-model",
    transport: async (request) => {
      sent.push(request);
      throw new Error("There is no upstream.");
    },
  };
  for (const method of [dialects?.messages, dialects?.countTokens]) await method?.(call).catch(() => undefined);
  return sent.map(({ url }) => url);
}

it("adds `beta` of the client to the query of the base URL, and nothing else", async () => {
  const [messages, count] = ["https://api.test/v1/messages", "https://api.test/v1/messages/count_tokens"];
  expect(await urlsFor({})).toEqual([`${messages}?version=2`, `${count}?version=2`]);
  expect(await urlsFor({ beta: "true", version: "3", key: "k" })).toEqual([
    `${messages}?version=2&beta=true`,
    `${count}?version=2&beta=true`,
  ]);
});

import type { IncomingMessage, ServerResponse } from "node:http";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { aiSdk } from "@tollgate/ai-sdk";
import type { ProviderAdapter } from "@tollgate/core/provider";
import { afterEach } from "vitest";
import { httpUpstream, type Upstream } from "../providers/upstream.ts";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";

/** A key that must not appear in any response or event. */
export const canaryKey = "sk-canary-4f9a1c77e2b84d10";

const open: Upstream[] = [];
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.close();
});

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A gateway whose only provider is aiSdk over @ai-sdk/openai-compatible, with a test server as its upstream. */
export async function gatewayAt(answer: Answer) {
  const bodies: Record<string, unknown>[] = [];
  const heads: IncomingMessage["headers"][] = [];
  const upstream = await httpUpstream(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    bodies.push(JSON.parse(body));
    heads.push(request.headers);
    answer(request, response, body);
  });
  open.push(upstream);
  const sdk = createOpenAICompatible({
    name: "up",
    baseURL: upstream.baseURL,
    apiKey: canaryKey,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
  return { ...(await gatewayOver(aiSdk(sdk, { secrets: [canaryKey] }))), bodies, heads, upstream };
}

async function gatewayOver(provider: ProviderAdapter) {
  const under = gatewayUnderTest({
    // One attempt, so that a test sees the adapter's result for one response.
    routing: { retries: 0 },
    plans: [{ id: "prepaid", billing: "prepaid", features: ["tools", "image_url", "response_format"] }],
    models: [
      {
        id: "plain",
        maxOutputTokens: 1_000,
        contextWindow: 8_000,
        vision: true,
        imageTokens: 2_048,
        price: { input: "1", output: "2" },
        targets: [{ provider, model: "up-model" }],
      },
    ],
  });
  const key = await under.key();
  return { chat: (body: object, init?: RequestInit) => under.chat(key, body, init), events: under.events };
}

/** Answers with JSON. */
export const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
/** Sends a frame of an event stream. */
export const frame = (response: ServerResponse, value: object) => response.write(`data: ${JSON.stringify(value)}\n\n`);
/** Sends the head of an event stream. */
export const streamHead = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/event-stream" });
/** A chunk with one choice. */
export const choice = (delta: object, reason: string | null = null) => ({
  id: "c-1",
  created: 5,
  model: "up-model",
  choices: [{ index: 0, delta, finish_reason: reason }],
});

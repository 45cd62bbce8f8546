import type { ServerResponse } from "node:http";
import type { GatewayEvent } from "@tollgate/core";
import type { ProviderFailure } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { allEvents } from "../support/read-stream.ts";
import { canaryKey, choice, frame, gatewayAt, json, streamHead } from "./gateway-at.ts";

/** The failures in the events of the observer. */
const failuresOf = (events: readonly GatewayEvent[]) =>
  events.flatMap((event) => (event.type === "attempt.failed" ? [event.failure] : []));

describe("failures of @ai-sdk/openai-compatible behind the gateway", () => {
  it.each<[name: string, status: number, body: unknown, failure: ProviderFailure, clientStatus: number]>([
    ["400", 400, { error: { message: "seed is bad" } }, "rejected", 400],
    ["400 about the context", 400, { error: { message: "x", code: "context_length_exceeded" } }, "context_length", 400],
    ["401", 401, { error: { message: `Incorrect API key provided: ${canaryKey}` } }, "credentials", 502],
    ["404", 404, { error: { message: "no such model up-model" } }, "credentials", 502],
    ["429", 429, { error: { message: "slow down" } }, "overloaded", 503],
    ["500", 500, "<html>edge-17.example.com</html>", "failed", 502],
    ["503 without a body", 503, "", "overloaded", 503],
    ["200 with HTML", 200, "<html>edge-17.example.com</html>", "invalid_response", 502],
    ["200 of another shape", 200, { answer: "Hello" }, "invalid_response", 502],
    ["200 with an error", 200, { error: { message: "x", type: "rate_limit_error" } }, "overloaded", 503],
    ["an empty body", 200, "", "invalid_response", 502],
  ])("classifies %s, with and without streaming", async (_name, status, body, failure, clientStatus) => {
    let requests = 0;
    const { chat, events, upstream } = await gatewayAt((_request, response) => {
      requests += 1;
      response.setHeader("retry-after", "7");
      if (typeof body === "string") response.writeHead(status, { "content-type": "text/html" }).end(body);
      else json(response, body, status);
    });
    for (const stream of [false, true]) {
      events.length = 0;
      const response = await chat({ stream });
      // The SDK reads a body that is not an event stream as an empty stream.
      const empty = stream && status === 200;
      expect([stream, response.status]).toEqual([stream, empty ? 502 : clientStatus]);
      if (status === 429) expect(response.headers.get("retry-after")).toBe("7");
      const text = await response.text();
      const hidden = [canaryKey, "up-model", "edge-17", new URL(upstream.baseURL).host];
      for (const each of hidden) expect(text).not.toContain(each);
      expect(failuresOf(events)).toEqual([empty ? "invalid_response" : failure]);
      expect(String(events.map((event) => Object.values(event)))).not.toContain(canaryKey);
    }
    expect(requests).toBe(2);
  });

  it("classifies an error frame before any content by its code", async () => {
    const { chat, events } = await gatewayAt((_request, response) => {
      streamHead(response);
      frame(response, { error: { message: `at ${canaryKey}`, code: "rate_limit_exceeded" } });
      response.end();
    });
    expect((await chat({ stream: true })).status).toBe(503);
    expect(failuresOf(events)).toEqual(["overloaded"]);
  });

  it.each([
    [
      "an error frame",
      (response: ServerResponse) => response.end('data: {"error":{"message":"x"}}\n\n'),
      "upstream_failed",
    ],
    ["a connection that breaks", (response: ServerResponse) => response.destroy(), "upstream_failed"],
    ["an end without a finish reason", (response: ServerResponse) => response.end(), "upstream_invalid_response"],
  ])("reports %s after content in the last frame, without [DONE]", async (_name, end, code) => {
    const responses: ServerResponse[] = [];
    const { chat } = await gatewayAt((_request, response) => {
      responses.push(response);
      streamHead(response);
      frame(response, choice({ content: "Hel" }));
    });
    const response = await chat({ stream: true });
    // The status has arrived, so the gateway has received the first content.
    for (const each of responses) end(each);
    const events = await allEvents(response);
    expect(JSON.parse(events[0] ?? "")).toMatchObject({ choices: [{ delta: { content: "Hel" } }] });
    expect(JSON.parse(events.at(-1) ?? "")).toMatchObject({
      choices: [{ finish_reason: "error" }],
      error: { code },
    });
  });

  it("reports an unreachable upstream without its address", async () => {
    const { chat, events, upstream } = await gatewayAt(() => undefined);
    await upstream.close();
    const response = await chat({});
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("127.0.0.1");
    expect(failuresOf(events)).toEqual(["unreachable"]);
  });
});

import createClient from "openapi-fetch";
import { expect, it } from "vitest";
import type { paths } from "./router-types.generated.ts";
import { runningHost } from "./running-host.ts";

const models = [{}, { id: "thinker", reasoning: { effortLevels: ["low", "high"], defaultEffort: "low" } }];

// The build checks the types of these calls, so they show that the generated client compiles.
const clientOf = (baseUrl: string, secret: string) =>
  createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${secret}` } });

it("a generated client lists models and creates a completion", async () => {
  await using host = await runningHost(models);
  const client = clientOf(host.url, await host.under.key());
  const list = await client.GET("/models");
  const model: string | undefined = list.data?.data[0]?.id;
  expect(model).toBe("plain");
  const shown = await client.GET("/models/{id}", { params: { path: { id: "thinker" } } });
  expect(shown.data?.reasoning?.effort_levels).toEqual(["low", "high"]);
  const { data, response } = await client.POST("/chat/completions", {
    body: { model: "plain", messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }], max_tokens: 10 },
  });
  expect(response.status).toBe(200);
  // The type has the text of a stream as well.
  const completion = typeof data === "object" ? data : undefined;
  const content: unknown = completion?.choices[0]?.message.content;
  const tokens: number | undefined = completion?.usage.total_tokens;
  expect([content, tokens]).toEqual(["Hello", 15]);
});

it("a generated client reads a stream", async () => {
  await using host = await runningHost(models);
  const { response } = await clientOf(host.url, await host.under.key()).POST("/chat/completions", {
    body: { model: "plain", messages: [{ role: "user", content: "Hello" }], stream: true },
    parseAs: "stream",
  });
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
});

it("a generated client gets errors with their code", async () => {
  await using host = await runningHost(models);
  const { error, response } = await clientOf(host.url, await host.under.key()).POST("/chat/completions", {
    body: { model: "unknown", messages: [{ role: "user", content: "Hello" }] },
  });
  const code: string | undefined =
    error !== undefined && typeof error.error === "object" ? error.error.code : undefined;
  expect([response.status, code]).toEqual([404, "model_not_found"]);
});

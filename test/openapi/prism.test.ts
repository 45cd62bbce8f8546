import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningHost, runningHost } from "./running-host.ts";
import { installPrism, type ValidatingProxy, validatingProxy } from "./validating-proxy.ts";

let host: RunningHost;
let proxy: ValidatingProxy;
let secret: string;

beforeAll(async () => {
  await installPrism();
  const reasoning = { effortLevels: ["low", "high"], defaultEffort: "low" };
  // The document says that a display name is a string.
  host = await runningHost([{}, { id: "thinker", tools: false, reasoning }, { id: "odd", extra: { display_name: 7 } }]);
  secret = await host.under.key({ models: ["plain", "thinker"] });
  proxy = await validatingProxy("packages/core/src/http/openapi/router.json", host.url);
}, 120_000);

afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await host?.[Symbol.asyncDispose]();
});

const ask = (path: string, body?: object, key = secret) =>
  fetch(`${proxy.url}${path}`, {
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });

const messages = [{ role: "user", content: "Hello" }];
const tool = { type: "function", function: { name: "find", parameters: { type: "object" } } };

it.each<[title: string, path: string, body: object | undefined, status: number]>([
  ["the list of models", "/models", undefined, 200],
  ["a model", "/models/thinker", undefined, 200],
  ["an unknown model", "/models/unknown", undefined, 404],
  ["a completion", "/chat/completions", { model: "plain", messages }, 200],
  ["a completion with tools", "/chat/completions", { model: "plain", messages, tools: [tool], temperature: 0.5 }, 200],
  ["a completion with null members", "/chat/completions", { model: "plain", messages, stream: null, n: null }, 200],
  ["a completion as text", "/chat/completions", { model: "plain", messages, response_format: { type: "text" } }, 200],
  ["a stream", "/chat/completions", { model: "plain", messages, stream: true }, 200],
  ["a completion of an unknown model", "/chat/completions", { model: "unknown", messages }, 404],
  ["tools for a model without them", "/chat/completions", { model: "thinker", messages, tools: [tool] }, 403],
  ["more tokens than the model has", "/chat/completions", { model: "plain", messages, max_tokens: 100_000 }, 200],
])("Prism finds no violation in %s", async (_title, path, body, status) => {
  const response = await ask(path, body);
  expect([response.status, await response.text()]).toEqual([status, expect.not.stringContaining("stoplight.io")]);
});

it("Prism finds no violation in the answers to a key that is unknown, and to an account without money", async () => {
  const body = { model: "plain", messages };
  expect((await ask("/models", undefined, "unknown")).status).toBe(401);
  expect(
    (await ask("/chat/completions", body, await host.under.key({ account: "poor", models: ["plain"] }))).status,
  ).toBe(402);
});

it("Prism refuses what the gateway would refuse", async () => {
  const response = await ask("/chat/completions", { model: "plain", messages: [] });
  expect([response.status, await response.text()]).toEqual([422, expect.stringContaining("messages")]);
});

it("Prism finds a response that differs from the document", async () => {
  const response = await ask("/models", undefined, await host.under.key({ models: ["odd"] }));
  expect([response.status, await response.text()]).toEqual([500, expect.stringContaining("display_name")]);
});

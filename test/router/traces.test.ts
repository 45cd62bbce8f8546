import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openaiCompatible, traceObserver } from "@tollgate/core";
import { afterEach, expect, it, vi } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { json } from "../support/webhook-target.ts";

const servers: Server[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A provider of this name, whose server answers every request so. */
async function provider(name: string, status: number, body: object) {
  const server = createServer((req, res) => void req.resume().on("end", () => json(res, status, body)));
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return openaiCompatible({ name, baseURL, apiKey: "sk-upstream-4f9a27c1d0b8e6" });
}

it("traceObserver prints the failover of a request, but no key, prompt, answer or address", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const first = await provider("first", 401, {
    error: { message: "No access with the key sk-upstream-4f9a27c1d0b8e6 at 127.0.0.1:8080." },
  });
  const second = await provider("second", 200, {
    choices: [{ index: 0, message: { role: "assistant", content: "The answer" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  });
  const { chat, key } = gatewayUnderTest({
    observer: traceObserver(),
    models: [
      {
        id: "plain",
        maxOutputTokens: 1_000,
        price: { input: "1", output: "2" },
        targets: [
          { provider: first, model: "big" },
          { provider: second, model: "small", priority: 2 },
        ],
      },
    ],
  });
  const secret = await key();

  const response = await chat(secret, { messages: [{ role: "user", content: "The prompt" }] });

  expect(await response.json()).toMatchObject({ choices: [{ message: { content: "The answer" } }] });
  await vi.waitFor(() => expect(printed).toHaveBeenCalledTimes(2), { timeout: 10_000 });
  const [problem, trace] = printed.mock.calls.map(([text]) => String(text));
  const steps = trace?.split("\n").map((line) => line.replace(/^ +\d+ ms {2}/, ""));
  expect(steps).toEqual([
    expect.stringMatching(/^tollgate: chat\.completions 200, complete after \d+ ms, request /),
    expect.stringMatching(/^ {2}account acme, key \S+, plan prepaid, model plain$/),
    "admitted",
    "held",
    "attempt first/big",
    expect.stringMatching(/^attempt\.failed credentials 401 "No access /),
    "attempt second/small",
    "settled",
    "answered",
    "  tokens input 3 output 5, cost 0.000013, finished with stop",
  ]);
  for (const hidden of [secret, "sk-upstream", "The prompt", "The answer", "127.0.0.1"])
    expect(`${problem}${trace}`).not.toContain(hidden);
});

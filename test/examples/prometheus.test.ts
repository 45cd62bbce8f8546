import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { parseAmount } from "@tollgate/core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { freePort } from "../support/free-port.ts";
import { completionOf } from "../support/scripted-provider.ts";

let upstream: Server;
let scraped: string;

const stream =
  'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n' +
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}\n\n' +
  "data: [DONE]\n\n";

/** Answers, streams, and fails, by the last message. */
async function startUpstream(): Promise<string> {
  upstream = createServer(async (req, res) => {
    const { messages }: { messages: readonly { readonly content: string }[] } = JSON.parse(await text(req));
    const wanted = messages.at(-1)?.content;
    if (wanted === "fail") return res.writeHead(500).end("{}");
    const isStream = wanted === "stream";
    res.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    return res.end(isStream ? stream : JSON.stringify(completionOf("Hello")));
  });
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  const address = upstream.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`;
}

beforeAll(async () => {
  const metricsPort = String(await freePort());
  vi.stubEnv("OPENAI_BASE_URL", await startUpstream());
  vi.stubEnv("OPENAI_API_KEY", "upstream-key");
  vi.stubEnv("METRICS_PORT", metricsPort);
  const { balances, gateway, keys } = await import("../../examples/prometheus/src/gateway.ts");
  const { exporter } = await import("../../examples/prometheus/src/metrics.ts");
  const { secret } = await keys.create({ account: "acme", plan: "prepaid" });
  balances.credit({ id: "opening", account: "acme", amount: parseAmount("10"), reason: "test" });
  // Six failures in a row open the circuit breaker.
  for (const content of ["answer", "stream", "fail", "fail"]) {
    const response = await gateway.fetch(
      new Request("http://gateway.test/router/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: "acme-small",
          messages: [{ role: "user", content }],
          stream: content === "stream",
        }),
      }),
    );
    await response.text();
  }
  await vi.waitUntil(() => gateway.inFlight() === 0, { timeout: 10_000 });
  scraped = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  await exporter.shutdown();
});

afterAll(() => {
  vi.unstubAllEnvs();
  upstream.closeAllConnections();
  upstream.close();
});

/** The names of metrics and labels in a text of the Prometheus format. */
function scrapedNames(): ReadonlySet<string> {
  const samples = scraped.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Set(samples.flatMap((line) => line.replace(/"[^"]*"/g, "").match(/[a-z_]+/g) ?? []));
}

/** The names of metrics and labels in expressions and in templates of legends. */
const namesIn = (content: string): readonly string[] => [
  ...new Set(content.match(/\b(?:gen_ai|tollgate|http|error)_[a-z_]+\b/g) ?? []),
];

it.each([
  ["alerts.yml", 8],
  ["grafana.json", 15],
])("uses only metrics and labels in %s that Prometheus scrapes", (file, least) => {
  const used = namesIn(readFileSync(`examples/prometheus/${file}`, "utf8"));
  const served = scrapedNames();
  expect(used.filter((name) => !served.has(name))).toEqual([]);
  expect(used.length).toBeGreaterThanOrEqual(least);
});

it("shows the open circuit breaker, the tokens and the cost", () => {
  const sampleOf = (sample: RegExp) =>
    Number(
      scraped
        .split("\n")
        .find((line) => sample.test(line))
        ?.split(" ")
        .at(-1),
    );
  expect(sampleOf(/^tollgate_breaker_state\{/)).toBe(2);
  expect(sampleOf(/^gen_ai_client_token_usage_sum\{.*gen_ai_token_type="input"/)).toBe(13);
  expect(sampleOf(/^tollgate_cost_total\{/)).toBeCloseTo((13 * 0.25 + 6 * 2) / 1e6, 12);
});

it("the alert for circuit breakers also fires for a quiet target, whose breaker stays half open after its cooldown", () => {
  const alerts = readFileSync("examples/prometheus/alerts.yml", "utf8");
  const [, comparison, bound] = /\(tollgate_breaker_state\) (==|>=|>) (\d)/.exec(alerts) ?? [];
  const fires = (state: number) =>
    comparison === "==" ? state === Number(bound) : comparison === ">" ? state > Number(bound) : state >= Number(bound);
  // Closed, half open, open.
  expect([0, 1, 2].map(fires)).toEqual([false, true, true]);
});

import type { WebhookRequest, WebhookResult, WebhookRunner } from "@tollgate/assistants";
import { webhookRunnerContract } from "@tollgate/contract";
import { webhookRunner } from "@tollgate/node";
import { describe, expect, it } from "vitest";
import { failuresOf, withOverrides } from "./failures.ts";

/** Each mutation, the function that applies it, and the case of the suite that must detect it. */
const mutations: Record<
  string,
  readonly [mutation: (sound: WebhookRunner) => Partial<WebhookRunner>, detectedBy: string]
> = {
  "rejects instead of returning a failure": [
    (sound) => ({ run: async (request) => orThrow(await sound.run(request)) }),
    "an invalid or non-HTTP URL returns a failure and does not throw",
  ],
  "retries a POST whose connection was lost": [
    (sound) => ({ run: (request) => repeated(sound, request, (first) => first.kind === "failed") }),
    "an unsafe method is sent once, whatever the outcome",
  ],
  "retries a POST after a 503": [
    (sound) => ({ run: (request) => repeated(sound, request, ({ status }) => status === 503) }),
    "an unsafe method is sent once, whatever the outcome",
  ],
  "follows redirects": [
    (sound) => ({ run: (request) => repeated(sound, request, ({ status }) => status === 307) }),
    "every status is a response, and a redirect is not followed",
  ],
  "reports every failure as not sent": [
    (sound) => ({
      run: async (request) => {
        const result = await sound.run(request);
        return result.kind === "failed" ? { ...result, certainty: "not_sent" } : result;
      },
    }),
    "a call can be cancelled while the target processes it",
  ],
  "exceeds the timeout by a second": [
    (sound) => ({ run: (request) => sound.run({ ...request, timeoutMs: request.timeoutMs + 1_000 }) }),
    "a timeout of 0 sends nothing",
  ],
  "ignores the signal": [
    (sound) => ({ run: (request) => sound.run({ ...request, signal: new AbortController().signal }) }),
    "a call that is cancelled before it starts sends nothing",
  ],
  "uses another idempotency key": [
    (sound) => ({ run: (request) => sound.run({ ...request, id: crypto.randomUUID() }) }),
    "every method except GET has the id of the call as its idempotency key",
  ],
  "drops the idempotency key": [
    (sound) => ({
      run: (request) => sound.run({ ...request, headers: [["idempotency-key", ""], ...request.headers] }),
    }),
    "each of 100 concurrent calls gets its own response",
  ],
  "rewrites the body": [
    (sound) => ({ run: (request) => sound.run(withBody(request, (body) => JSON.stringify(JSON.parse(body)))) }),
    "each method, path and body arrives unchanged and once",
  ],
  "sends headers as Latin-1": [
    (sound) => ({
      run: (request) => sound.run({ ...request, headers: request.headers.map(([name]) => [name, "Zo?"]) }),
    }),
    "header values are sent as UTF-8",
  ],
  "does not sign": [
    (sound) => ({ run: (request) => sound.run({ ...request, signingSecret: undefined }) }),
    "the signature covers the exact bytes",
  ],
  "accepts part of an endless response": [
    (sound) => ({ run: async (request) => orEmpty(await sound.run(request)) }),
    "an endless response is aborted",
  ],
  "accepts a truncated response": [
    (sound) => ({ run: async (request) => orEmpty(await sound.run(request)) }),
    "a truncated response is a failure",
  ],
  "allows every target": [
    () => ({ checkTarget: async () => ({ allowed: true }) }),
    "cloud metadata addresses are never contacted",
  ],
  "sends a request in checkTarget": [
    (sound) => ({
      checkTarget: async (url) => {
        await sound.run({ ...getOf(url), timeoutMs: 5_000 });
        return sound.checkTarget(url);
      },
    }),
    "checkTarget sends no request to an allowed target",
  ],
};

describe.concurrent("the webhook runner suite", () => {
  for (const [name, [mutation, detectedBy]] of Object.entries(mutations)) {
    it(`detects a runner that ${name}`, async () => {
      const create = ({ host, port }: { readonly host: string; readonly port: number }) => {
        const sound = webhookRunner({ allowedTargets: [`${host}:${port}`] });
        return { runner: withOverrides(sound, mutation(sound)) };
      };
      expect(await failuresOf((test) => webhookRunnerContract({ test, create }), detectedBy)).toEqual([detectedBy]);
    });
  }
});

/** Runs only one case, since some of the others wait for a timeout. */
async function repeated(
  sound: WebhookRunner,
  request: WebhookRequest,
  when: (first: WebhookResult) => boolean,
): Promise<WebhookResult> {
  const first = await sound.run(request);
  return when(first) ? sound.run(request) : first;
}

function orThrow(result: WebhookResult): WebhookResult {
  if (result.kind === "failed") throw new Error(result.detail);
  return result;
}

function orEmpty(result: WebhookResult): WebhookResult {
  if (result.kind === "answered") return result;
  const { status, attempts } = result;
  return { kind: "answered", status: status ?? 200, contentType: undefined, body: new Uint8Array(), attempts };
}

function withBody(request: WebhookRequest, change: (body: string) => string): WebhookRequest {
  return { ...request, body: request.body === undefined ? undefined : change(request.body) };
}

function getOf(url: string): WebhookRequest {
  const { signal } = new AbortController();
  return { id: "", method: "GET", url, headers: [], body: undefined, timeoutMs: 0, signingSecret: undefined, signal };
}

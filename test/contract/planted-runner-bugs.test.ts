import { type TestRunner, webhookRunnerContract } from "@tollgate/contract";
import type { WebhookRequest, WebhookResult, WebhookRunner } from "@tollgate/core/assistants";
import { webhookRunner } from "@tollgate/node";
import { describe, expect, it } from "vitest";
import { failuresOf, withFlaw } from "./failures.ts";

/** Each mistake, what a runner that makes it does, and the case of the suite that must notice it. */
const mistakes: Record<string, readonly [flaw: (sound: WebhookRunner) => Partial<WebhookRunner>, noticedBy: string]> = {
  "rejects instead of telling": [
    (sound) => ({ run: async (request) => orThrow(await sound.run(request)) }),
    "what is no URL of the web is refused, not thrown",
  ],
  "repeats a POST whose connection broke": [
    (sound) => ({ run: (request) => repeated(sound, request, (first) => first.kind === "failed") }),
    "a method that changes something is sent once, whatever becomes of it",
  ],
  "repeats a POST that was answered 503": [
    (sound) => ({ run: (request) => repeated(sound, request, ({ status }) => status === 503) }),
    "a method that changes something is sent once, whatever becomes of it",
  ],
  "follows redirects": [
    (sound) => ({ run: (request) => repeated(sound, request, ({ status }) => status === 307) }),
    "every status is an answer, and a redirect is not followed",
  ],
  "is sure that nothing was sent": [
    (sound) => ({
      run: async (request) => {
        const result = await sound.run(request);
        return result.kind === "failed" ? { ...result, certainty: "not_sent" } : result;
      },
    }),
    "a call that is cancelled while the target works ends",
  ],
  "takes a second more than it has": [
    (sound) => ({ run: (request) => sound.run({ ...request, timeoutMs: request.timeoutMs + 1_000 }) }),
    "no time at all sends nothing",
  ],
  "does not hear the signal": [
    (sound) => ({ run: (request) => sound.run({ ...request, signal: new AbortController().signal }) }),
    "a call that was cancelled before it began sends nothing",
  ],
  "makes a new key for each try": [
    (sound) => ({ run: (request) => sound.run({ ...request, id: crypto.randomUUID() }) }),
    "every method but GET carries the id of the call as its idempotency key",
  ],
  "forgets the key": [
    (sound) => ({
      run: (request) => sound.run({ ...request, headers: [["idempotency-key", ""], ...request.headers] }),
    }),
    "each of a hundred calls at once gets its own answer",
  ],
  "writes the body anew": [
    (sound) => ({ run: (request) => sound.run(withBody(request, (body) => JSON.stringify(JSON.parse(body)))) }),
    "each method, path and body arrives exactly, and once",
  ],
  "sends headers as Latin-1": [
    (sound) => ({
      run: (request) => sound.run({ ...request, headers: request.headers.map(([name]) => [name, "Zo?"]) }),
    }),
    "header values travel as UTF-8",
  ],
  "does not sign": [
    (sound) => ({ run: (request) => sound.run({ ...request, signingSecret: undefined }) }),
    "a signature is that of the exact bytes",
  ],
  "takes what it got of a long answer": [
    (sound) => ({ run: async (request) => orEmpty(await sound.run(request)) }),
    "an answer that never ends is given up",
  ],
  "takes what it got of an answer that broke off": [
    (sound) => ({ run: async (request) => orEmpty(await sound.run(request)) }),
    "an answer cut short is none",
  ],
  "allows whatever it is asked": [
    () => ({ checkTarget: async () => ({ allowed: true }) }),
    "the metadata of a cloud is never contacted",
  ],
  "sends in order to checkTarget": [
    (sound) => ({
      checkTarget: async (url) => {
        await sound.run({ ...getOf(url), timeoutMs: 5_000 });
        return sound.checkTarget(url);
      },
    }),
    "the verdict on a target that may be called sends nothing",
  ],
};

describe.concurrent("the suite of webhook runners", () => {
  for (const [mistake, [flaw, noticedBy]] of Object.entries(mistakes)) {
    it(`notices a runner that ${mistake}`, async () => {
      const create = ({ host, port }: { readonly host: string; readonly port: number }) => {
        const sound = webhookRunner({ allowedTargets: [`${host}:${port}`] });
        return { runner: withFlaw(sound, flaw(sound)) };
      };
      expect(await failuresOf((test) => webhookRunnerContract({ test: only(noticedBy, test), create }))).toEqual([
        noticedBy,
      ]);
    });
  }
});

/** Leaves out the other cases, some of which wait for a time to be over. */
function only(wanted: string, test: TestRunner): TestRunner {
  return { describe: test.describe, it: (name, body) => name === wanted && test.it(name, body) };
}

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

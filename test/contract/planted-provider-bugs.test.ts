import { providerContract, type ScriptedUpstream, type TestRunner } from "@tollgate/contract";
import { completionOf, fetchTransport, openaiCompatible, type ProviderAdapter, ProviderError } from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { failuresOf, withFlaw } from "./failures.ts";
import {
  answering,
  around,
  followingTransport,
  letsRunOn,
  readWhole,
  refusing,
  repeating,
  rethrowing,
  sending,
  streaming,
  through,
  withKeyInQuery,
} from "./provider-flaws.ts";

type Flaw = (sound: ProviderAdapter, upstream: ScriptedUpstream) => Partial<ProviderAdapter>;

/** Each mistake, what a provider that makes it does, and the case of the suite that must notice it. */
const mistakes: Record<string, readonly [flaw: Flaw, noticedBy: string]> = {
  "asks again after a failure": [(sound) => repeating(sound, ["failed"]), "status 500 rejects with failed, without a retry"],
  "asks again after a body that was cut short": [
    (sound) => repeating(sound, ["failed", "invalid_response"]),
    "a truncated body is a failure, without a retry",
  ],
  "throws errors of its own": [
    (sound) => rethrowing(sound, () => new Error("no luck")),
    "status 401 rejects with credentials, without a retry",
  ],
  "takes a limit for a failure": [
    (sound) => rethrowing(sound, ({ message, details }) => new ProviderError("failed", message, details)),
    "status 429 rejects with overloaded, without a retry",
  ],
  "does not know a prompt that is too long": [
    (sound) => rethrowing(sound, ({ message, details }) => new ProviderError("rejected", message, details)),
    "a prompt that is too long rejects with context_length",
  ],
  "forgets how long to wait": [
    (sound) => rethrowing(sound, ({ failure, message }) => new ProviderError(failure, message, {})),
    "the error has the upstream's retry-after",
  ],
  "shows the host to clients": [
    (sound, { origin }) =>
      rethrowing(
        sound,
        ({ failure, message }) =>
          new ProviderError(failure, message, { clientMessage: `Temperature must be at most 2. ${origin}` }),
      ),
    "clientMessage has the upstream's reason without the host, the key or the upstream's model name",
  ],
  "shows clients nothing of a refusal": [
    (sound) => rethrowing(sound, ({ failure, message }) => new ProviderError(failure, message)),
    "clientMessage has the upstream's reason without the host, the key or the upstream's model name",
  ],
  "keeps the key in the cause of an error": [
    (sound, { apiKey }) =>
      rethrowing(
        sound,
        ({ failure, message }) =>
          new ProviderError(failure, message, { cause: { headers: { authorization: `Bearer ${apiKey}` } } }),
      ),
    "no error contains the key",
  ],
  "does not hear the signal": [
    (sound) =>
      around(sound, (call, go) => {
        const { signal } = new AbortController();
        return go({ ...call, signal, cancellation: signal });
      }),
    "a call that is aborted before it starts sends no request",
  ],
  "leaves the connection open after an abort": [letsRunOn, "an abort while the upstream is silent rejects the call"],
  "waits for the end of a stream before it gives the first piece": [
    (sound) => streaming(sound, readWhole),
    "each piece of text arrives before the next one is sent, and an abort ends the stream",
  ],
  "leaves the answer running that its reader left": [
    (sound) => streaming(sound, (bytes) => ({ ...through(bytes, () => ({})), cancel: () => undefined })),
    "a stream ends when its reader returns",
  ],
  "ends a stream well that was cut": [
    (sound) => streaming(sound, (bytes) => through(bytes, (sink) => ({ fail: () => sink.close() }))),
    "a stream whose connection is lost is a failure, without a retry",
  ],
  "finishes what the upstream did not": [
    (sound) =>
      streaming(sound, (bytes) =>
        through(bytes, (sink) => ({
          close() {
            const stop = { choices: [{ delta: {}, finish_reason: "stop" }] };
            sink.write(new TextEncoder().encode(`data: ${JSON.stringify(stop)}\n\n`));
            sink.close();
          },
        })),
      ),
    "a stream that ends early has no finish reason",
  ],
  "decodes each network chunk alone": [
    (sound) =>
      streaming(sound, (bytes) =>
        through(bytes, (sink) => ({
          write: (chunk) => sink.write(new TextEncoder().encode(new TextDecoder().decode(chunk))),
        })),
      ),
    "the text arrives unchanged",
  ],
  "drops errors inside of a stream": [
    (sound) =>
      streaming(sound, async (bytes) =>
        through(await readWhole(bytes), (sink) => ({
          write: (chunk) =>
            sink.write(Buffer.from(Buffer.from(chunk).toString().replace('"error"', '"choices":[],"x"'))),
        })),
      ),
    "an error before any content is classified by its own status",
  ],
  "changes the request": [
    (sound) =>
      around(sound, (call, go) => {
        call.request.messages.unshift({ role: "system", content: "Be kind." });
        return go(call);
      }),
    "the request is not modified",
  ],
  "sends no cap on the output": [
    (sound) => sending(sound, (request) => ({ ...request, max_tokens: undefined })),
    "the output cap reaches the upstream",
  ],
  "sends the last message alone": [
    (sound) => sending(sound, (request) => ({ ...request, messages: Reflect.get(request, "messages").slice(-1) })),
    "the model, all messages, tools and their results reach the upstream",
  ],
  "does not ask for the usage of streams": [
    (sound) => sending(sound, (request) => ({ ...request, stream_options: undefined, stream: false })),
    "each piece of text arrives before the next one is sent, and an abort ends the stream",
  ],
  "goes around the call's transport": [
    (sound) => around(sound, (call, go) => go({ ...call, transport: fetchTransport() })),
    "every request uses the call's transport, connect timeout and signal",
  ],
  "has a limit on connecting of its own": [
    (sound) => around(sound, (call, go) => go({ ...call, connectMs: 30_000 })),
    "every request uses the call's transport, connect timeout and signal",
  ],
  "takes a time limit for a failure": [
    (sound) => rethrowing(sound, ({ message }) => new ProviderError("failed", message)),
    "an error of the transport keeps its kind",
  ],
  "follows redirects": [
    (sound) => around(sound, (call, go) => go({ ...call, transport: followingTransport })),
    "a redirect is a failure and is not followed",
  ],
  "puts the key into the URL": [
    (_, { origin, apiKey }) => withKeyInQuery(origin, apiKey),
    "the key is sent in a header and never in a URL",
  ],
  "gives an empty answer for a page": [
    (sound) => ({
      complete: (call) =>
        sound
          .complete(call)
          .then(completionOf)
          .catch(() => ({ choices: [] })),
    }),
    "a page of HTML rejects with invalid_response, without a retry",
  ],
  "takes events for an answer that is none": [
    (sound) => around(sound, (call, go) => go({ ...call, transport: refusing("text/event-stream", call) })),
    "events are converted in response to a request for JSON",
  ],
  "takes JSON for a stream that is none": [
    (sound) => around(sound, (call, go) => go({ ...call, transport: refusing("application/json", call) })),
    "JSON is converted in response to a request for events",
  ],
  "loses the second tool call": [
    (sound) =>
      answering(sound, (completion) => ({
        ...completion,
        choices: completion.choices.map((choice) => ({
          ...choice,
          message: { ...choice.message, tool_calls: choice.message.tool_calls?.slice(0, 1) ?? [] },
        })),
      })),
    "several tool calls after a text stay separate",
  ],
  "makes the usage up": [
    (sound) => answering(sound, (completion) => ({ ...completion, usage: { prompt_tokens: 1, completion_tokens: 1 } })),
    "a complete answer has the upstream's usage",
  ],
  "gives every call the first answer": [
    (sound) => {
      let first: ReturnType<ProviderAdapter["complete"]> | undefined;
      return {
        complete(call) {
          first ??= sound.complete(call);
          return first;
        },
      };
    },
    "each of 20 concurrent calls gets its own answer",
  ],
  "says that every answer came to its end": [
    (sound) =>
      answering(sound, (completion) => ({
        ...completion,
        choices: completion.choices.map((choice) => ({ ...choice, finish_reason: "stop" })),
      })),
    "an answer that reached its output cap has the finish reason length",
  ],
  "has no name": [() => ({ name: "" }), "the name and the capabilities have the right types and do not change"],
};

describe.concurrent("the suite of providers", () => {
  for (const [mistake, [flaw, noticedBy]] of Object.entries(mistakes)) {
    it(`notices a provider that ${mistake}`, async () => {
      const create = (upstream: ScriptedUpstream) => {
        const sound = openaiCompatible({ baseURL: `${upstream.origin}/v1`, apiKey: upstream.apiKey });
        return { provider: withFlaw(sound, flaw(sound, upstream)) };
      };
      expect(await failuresOf((test) => providerContract({ test: only(noticedBy, test), create }))).toEqual([
        noticedBy,
      ]);
    }, 60_000);
  }
});

/** Leaves out the other cases, some of which wait for a time to be over. */
function only(wanted: string, test: TestRunner): TestRunner {
  return { describe: test.describe, it: (name, body) => name === wanted && test.it(name, body) };
}

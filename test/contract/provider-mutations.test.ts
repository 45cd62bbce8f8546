import { providerContract, type ScriptedUpstream } from "@tollgate/contract";
import { fetchTransport, openaiCompatible } from "@tollgate/core";
import { completionOf, type ProviderAdapter, ProviderError } from "@tollgate/core/provider";
import { describe, expect, it } from "vitest";
import { failuresOf, withOverrides } from "./failures.ts";
import {
  answering,
  around,
  followingTransport,
  readWhole,
  refusing,
  repeating,
  rethrowing,
  sending,
  streaming,
  through,
  withKeyInQuery,
  withoutCancellation,
} from "./provider-mutations.ts";

type Mutation = (sound: ProviderAdapter, upstream: ScriptedUpstream) => Partial<ProviderAdapter>;

/** Each mutation, the function that applies it, and the case of the suite that must detect it. */
const mutations: Record<string, readonly [mutation: Mutation, detectedBy: string]> = {
  "retries after a failure": [
    (sound) => repeating(sound, ["failed"]),
    "status 500 rejects with failed, without a retry",
  ],
  "retries after a truncated body": [
    (sound) => repeating(sound, ["failed", "invalid_response"]),
    "a truncated body is a failure, without a retry",
  ],
  "throws its own errors": [
    (sound) => rethrowing(sound, () => new Error("no luck")),
    "status 401 rejects with credentials, without a retry",
  ],
  "reports a rate limit as a failure": [
    (sound) => rethrowing(sound, ({ message, details }) => new ProviderError("failed", message, details)),
    "status 429 rejects with overloaded, without a retry",
  ],
  "does not recognize a prompt that is too long": [
    (sound) => rethrowing(sound, ({ message, details }) => new ProviderError("rejected", message, details)),
    "a prompt that is too long rejects with context_length",
  ],
  "drops retry-after": [
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
  "hides the reason of a refusal from clients": [
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
  "ignores the signal": [
    (sound) =>
      around(sound, (call, next) => {
        const { signal } = new AbortController();
        return next({ ...call, signal, cancellation: signal });
      }),
    "a call that is aborted before it starts sends no request",
  ],
  "leaves the connection open after an abort": [
    withoutCancellation,
    "an abort while the upstream is silent rejects the call",
  ],
  "waits for the end of a stream before it returns the first piece": [
    (sound) => streaming(sound, readWhole),
    "each piece of text arrives before the next one is sent, and an abort ends the stream",
  ],
  "does not cancel a stream when its reader returns": [
    (sound) => streaming(sound, (bytes) => ({ ...through(bytes, () => ({})), cancel: () => undefined })),
    "a stream ends when its reader returns",
  ],
  "ends a broken stream normally": [
    (sound) => streaming(sound, (bytes) => through(bytes, (sink) => ({ fail: () => sink.close() }))),
    "a stream whose connection is lost is a failure, without a retry",
  ],
  "adds a finish reason to an incomplete stream": [
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
  "decodes each network chunk separately": [
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
      around(sound, (call, next) => {
        call.request.messages.unshift({ role: "system", content: "Be kind." });
        return next(call);
      }),
    "the request is not modified",
  ],
  "does not send the output cap": [
    (sound) => sending(sound, (request) => ({ ...request, max_tokens: undefined })),
    "the output cap reaches the upstream",
  ],
  "sends only the last message": [
    (sound) => sending(sound, (request) => ({ ...request, messages: Reflect.get(request, "messages").slice(-1) })),
    "the model, all messages, tools and their results reach the upstream",
  ],
  "does not request the usage of streams": [
    (sound) => sending(sound, (request) => ({ ...request, stream_options: undefined, stream: false })),
    "each piece of text arrives before the next one is sent, and an abort ends the stream",
  ],
  "bypasses the call's transport": [
    (sound) => around(sound, (call, next) => next({ ...call, transport: fetchTransport() })),
    "every request uses the call's transport, connect timeout and signal",
  ],
  "uses its own connect timeout": [
    (sound) => around(sound, (call, next) => next({ ...call, connectMs: 30_000 })),
    "every request uses the call's transport, connect timeout and signal",
  ],
  "reports a timeout as a failure": [
    (sound) => rethrowing(sound, ({ message }) => new ProviderError("failed", message)),
    "an error of the transport keeps its kind",
  ],
  "follows redirects": [
    (sound) => around(sound, (call, next) => next({ ...call, transport: followingTransport })),
    "a redirect is a failure and is not followed",
  ],
  "puts the key into the URL": [
    (_, { origin, apiKey }) => withKeyInQuery(origin, apiKey),
    "the key is sent in a header and never in a URL",
  ],
  "returns an empty answer for a page of HTML": [
    (sound) => ({
      complete: (call) =>
        sound
          .complete(call)
          .then(completionOf)
          .catch(() => ({ choices: [] })),
    }),
    "a page of HTML rejects with invalid_response, without a retry",
  ],
  "rejects events as a complete answer": [
    (sound) => around(sound, (call, next) => next({ ...call, transport: refusing("text/event-stream", call) })),
    "events are converted in response to a request for JSON",
  ],
  "rejects JSON as a stream": [
    (sound) => around(sound, (call, next) => next({ ...call, transport: refusing("application/json", call) })),
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
  "invents the usage": [
    (sound) => answering(sound, (completion) => ({ ...completion, usage: { prompt_tokens: 1, completion_tokens: 1 } })),
    "a complete answer has the upstream's usage",
  ],
  "returns the first answer for every call": [
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
  "always returns the finish reason stop": [
    (sound) =>
      answering(sound, (completion) => ({
        ...completion,
        choices: completion.choices.map((choice) => ({ ...choice, finish_reason: "stop" })),
      })),
    "an answer that reached its output cap has the finish reason length",
  ],
  "has no name": [() => ({ name: "" }), "the name and the capabilities have the right types and do not change"],
};

describe.concurrent("the provider suite", () => {
  for (const [name, [mutation, detectedBy]] of Object.entries(mutations)) {
    it(`detects a provider that ${name}`, async () => {
      const create = (upstream: ScriptedUpstream) => {
        const sound = openaiCompatible({ baseURL: `${upstream.origin}/v1`, apiKey: upstream.apiKey });
        return { provider: withOverrides(sound, mutation(sound, upstream)) };
      };
      expect(await failuresOf((test) => providerContract({ test, create }), detectedBy)).toEqual([detectedBy]);
    }, 60_000);
  }
});

/** Runs only one case, since some of the others wait for a timeout. */

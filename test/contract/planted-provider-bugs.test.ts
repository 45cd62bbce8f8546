import { providerContract, type ScriptedUpstream, type TestRunner } from "@tollgate/contract";
import { fetchTransport, openaiCompatible } from "@tollgate/core";
import { completionOf, type ProviderAdapter, ProviderError } from "@tollgate/core/provider";
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
  "asks again after a failure": [(sound) => repeating(sound, ["failed"]), "500 is failed, and asked once"],
  "asks again after a body that was cut short": [
    (sound) => repeating(sound, ["failed", "invalid_response"]),
    "a body cut short is a failure, and asked once",
  ],
  "throws errors of its own": [
    (sound) => rethrowing(sound, () => new Error("no luck")),
    "401 is credentials, and asked once",
  ],
  "takes a limit for a failure": [
    (sound) => rethrowing(sound, ({ message, details }) => new ProviderError("failed", message, details)),
    "429 is overloaded, and asked once",
  ],
  "does not know a prompt that is too long": [
    (sound) => rethrowing(sound, ({ message, details }) => new ProviderError("rejected", message, details)),
    "a prompt that is too long is told from other refusals",
  ],
  "forgets how long to wait": [
    (sound) => rethrowing(sound, ({ failure, message }) => new ProviderError(failure, message, {})),
    "the wait that the upstream asks for is told",
  ],
  "shows the host to clients": [
    (sound, { origin }) =>
      rethrowing(
        sound,
        ({ failure, message }) =>
          new ProviderError(failure, message, { clientMessage: `Temperature must be at most 2. ${origin}` }),
      ),
    "a client reads what was refused, and neither host nor key nor the model's name there",
  ],
  "shows clients nothing of a refusal": [
    (sound) => rethrowing(sound, ({ failure, message }) => new ProviderError(failure, message)),
    "a client reads what was refused, and neither host nor key nor the model's name there",
  ],
  "keeps the key in the cause of an error": [
    (sound, { apiKey }) =>
      rethrowing(
        sound,
        ({ failure, message }) =>
          new ProviderError(failure, message, { cause: { headers: { authorization: `Bearer ${apiKey}` } } }),
      ),
    "the key is nowhere in an error",
  ],
  "does not hear the signal": [
    (sound) =>
      around(sound, (call, go) => {
        const { signal } = new AbortController();
        return go({ ...call, signal, cancellation: signal });
      }),
    "a call that was aborted before it began asks nobody",
  ],
  "leaves the connection open after an abort": [letsRunOn, "a call is aborted while the upstream is silent"],
  "waits for the end of a stream before it gives the first piece": [
    (sound) => streaming(sound, readWhole),
    "a piece of text arrives before the next one is sent, and an abort after it ends the stream",
  ],
  "leaves the answer running that its reader left": [
    (sound) => streaming(sound, (bytes) => ({ ...through(bytes, () => ({})), cancel: () => undefined })),
    "a stream that its reader leaves is ended",
  ],
  "ends a stream well that was cut": [
    (sound) => streaming(sound, (bytes) => through(bytes, (sink) => ({ fail: () => sink.close() }))),
    "a stream whose connection breaks is a failure, and asked once",
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
    "a stream that ends early has no finish",
  ],
  "decodes each network chunk alone": [
    (sound) =>
      streaming(sound, (bytes) =>
        through(bytes, (sink) => ({
          write: (chunk) => sink.write(new TextEncoder().encode(new TextDecoder().decode(chunk))),
        })),
      ),
    "the text arrives as the upstream wrote it",
  ],
  "drops errors inside of a stream": [
    (sound) =>
      streaming(sound, async (bytes) =>
        through(await readWhole(bytes), (sink) => ({
          write: (chunk) =>
            sink.write(Buffer.from(Buffer.from(chunk).toString().replace('"error"', '"choices":[],"x"'))),
        })),
      ),
    "an error before any content is sorted by its own status",
  ],
  "changes the request": [
    (sound) =>
      around(sound, (call, go) => {
        call.request.messages.unshift({ role: "system", content: "Be kind." });
        return go(call);
      }),
    "the request stays as it was",
  ],
  "sends no cap on the output": [
    (sound) => sending(sound, (request) => ({ ...request, max_tokens: undefined })),
    "the cap on the output reaches the upstream, which the bill is bounded by",
  ],
  "sends the last message alone": [
    (sound) => sending(sound, (request) => ({ ...request, messages: Reflect.get(request, "messages").slice(-1) })),
    "the model, all messages, tools and their results reach the upstream",
  ],
  "does not ask for the usage of streams": [
    (sound) => sending(sound, (request) => ({ ...request, stream_options: undefined, stream: false })),
    "a piece of text arrives before the next one is sent, and an abort after it ends the stream",
  ],
  "goes around the call's transport": [
    (sound) => around(sound, (call, go) => go({ ...call, transport: fetchTransport() })),
    "every request goes through the call's transport, with its limit and its signal",
  ],
  "has a limit on connecting of its own": [
    (sound) => around(sound, (call, go) => go({ ...call, connectMs: 30_000 })),
    "every request goes through the call's transport, with its limit and its signal",
  ],
  "takes a time limit for a failure": [
    (sound) => rethrowing(sound, ({ message }) => new ProviderError("failed", message)),
    "what the transport could not do keeps its kind",
  ],
  "follows redirects": [
    (sound) => around(sound, (call, go) => go({ ...call, transport: followingTransport })),
    "a redirect is a failure, and not followed",
  ],
  "puts the key into the URL": [
    (_, { origin, apiKey }) => withKeyInQuery(origin, apiKey),
    "the key travels in a header and never in a URL",
  ],
  "gives an empty answer for a page": [
    (sound) => ({
      complete: (call) =>
        sound
          .complete(call)
          .then(completionOf)
          .catch(() => ({ choices: [] })),
    }),
    "a page of HTML is invalid_response, and asked once",
  ],
  "takes events for an answer that is none": [
    (sound) => around(sound, (call, go) => go({ ...call, transport: refusing("text/event-stream", call) })),
    "events are converted where JSON was asked for",
  ],
  "takes JSON for a stream that is none": [
    (sound) => around(sound, (call, go) => go({ ...call, transport: refusing("application/json", call) })),
    "JSON is converted where events were asked for",
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
    "several tool calls in one answer stay apart, after a text",
  ],
  "makes the usage up": [
    (sound) => answering(sound, (completion) => ({ ...completion, usage: { prompt_tokens: 1, completion_tokens: 1 } })),
    "the usage is the upstream's, in one piece",
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
    "each of twenty calls at once gets its own answer",
  ],
  "says that every answer came to its end": [
    (sound) =>
      answering(sound, (completion) => ({
        ...completion,
        choices: completion.choices.map((choice) => ({ ...choice, finish_reason: "stop" })),
      })),
    "an answer that reached its cap says so",
  ],
  "has no name": [() => ({ name: "" }), "the name and the capabilities are of their types and stay as they are"],
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

import { deepEqual, equal, match } from "node:assert/strict";
import { ProviderError } from "@tollgate/core/provider";
import type { Cases } from "../suite.ts";
import type { ProviderContext, Way } from "./context.ts";
import type { ProviderAnswer } from "./provider-answer.ts";
import { providerErrorOf } from "./rejections.ts";
import { answering } from "./upstream-script.ts";

const ways: readonly Way[] = ["complete", "stream"];

const html = "<html><head><title>Welcome to the proxy</title></head></html>";
const bodies: Readonly<Record<string, readonly [contentType: string, body: string]>> = {
  "a page of HTML": ["text/html", html],
  "a page of HTML that calls itself JSON": ["application/json", html],
  "an empty body": ["application/json", ""],
  "truncated JSON": ["application/json", '{"id":"x","cho'],
  "JSON of another shape": ["application/json", '{"hello":"world"}'],
  "JSON that is not an object": ["application/json", "null"],
};

/** The cases of invalid and truncated answers, and of failed connections. */
export const invalidAnswerCases: Cases<ProviderContext> = {
  ...Object.fromEntries(
    Object.entries(bodies).map(([name, [contentType, body]]) => [
      `${name} rejects with invalid_response, without a retry`,
      (context: ProviderContext) => expectInvalid(context, contentType, body),
    ]),
  ),
  "a redirect is a failure and is not followed": async ({ play, ask, received }) => {
    for (const status of [301, 302, 307, 308]) {
      const before = received.length;
      play({ kind: "other", status, contentType: "text/html", body: "" });
      for (const way of ways) await providerErrorOf(ask(way));
      equal(received.length - before, ways.length, `${status}`);
    }
  },
  "a truncated body is a failure, without a retry": async ({ play, ask, received }) => {
    for (const ending of ["cut", "ended"] as const) {
      play(answering({ ending }));
      await providerErrorOf(ask("complete"));
    }
    equal(received.length, 2);
  },
  "a stream whose connection is lost is a failure, without a retry": async ({ play, ask, received }) => {
    play(answering({ ending: "cut" }));
    await providerErrorOf(ask("stream"));
    equal(received.length, 1);
  },
  "a stream with an invalid event rejects with invalid_response, without a retry": async ({ play, ask, received }) => {
    play({ kind: "other", status: 200, contentType: "text/event-stream", body: 'data: {"broken\n\n' });
    equal((await providerErrorOf(ask("stream"))).failure, "invalid_response");
    equal(received.length, 1);
  },
  "a stream that ends early has no finish reason": async ({ play, ask, received }) => {
    play(answering({ ending: "ended" }));
    await failureOfStream(ask("stream"));
    equal(received.length, 1);
  },
  "events are converted in response to a request for JSON": async ({ play, ask, codec }) => {
    const { streamType: contentType = "text/event-stream" } = codec;
    play({ kind: "other", status: 200, contentType, body: codec.events(answering()).join("") });
    const { text, finish } = await ask("complete");
    deepEqual([text, finish], ["Hello.", "stop"]);
  },
  "JSON is converted in response to a request for events": async ({ play, ask, codec }) => {
    play({ kind: "other", status: 200, contentType: "application/json", body: codec.completion(answering()) });
    const { text, finish } = await ask("stream");
    deepEqual([text, finish], ["Hello.", "stop"]);
  },
  "a connection reset before the response rejects with unreachable, without a retry": async ({
    play,
    ask,
    received,
  }) => {
    play({ kind: "reset" });
    for (const way of ways) equal((await providerErrorOf(ask(way))).failure, "unreachable", way);
    equal(received.length, ways.length);
  },
  "an upstream that does not listen rejects with unreachable": async ({ shutDown, ask }) => {
    await shutDown();
    for (const way of ways) equal((await providerErrorOf(ask(way))).failure, "unreachable", way);
  },
};

async function expectInvalid({ play, ask, received }: ProviderContext, contentType: string, body: string) {
  play({ kind: "other", status: 200, contentType, body });
  equal((await providerErrorOf(ask("complete"))).failure, "invalid_response");
  match(await failureOfStream(ask("stream")), /^(?:invalid_response|unfinished)$/);
  equal(received.length, ways.length, "An adapter never retries: the gateway does.");
}

/**
 * Reads how a stream failed. An adapter may also end it without a finish reason, which the gateway treats as a failure.
 */
async function failureOfStream(asked: Promise<ProviderAnswer>): Promise<string> {
  const result = await asked.catch((cause: unknown) => (ProviderError.is(cause) ? cause : Promise.reject(cause)));
  if (ProviderError.is(result)) return result.failure;
  equal(result.finish ?? undefined, undefined, "An incomplete stream must not have a finish reason.");
  return "unfinished";
}

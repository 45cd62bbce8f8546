import { deepEqual, equal, match } from "node:assert/strict";
import { ProviderError } from "@tollgate/core/provider";
import type { Cases } from "../suite.ts";
import type { ProviderContext, Way } from "./context.ts";
import type { ToldAnswer } from "./told-answer.ts";
import { providerErrorOf } from "./told-failure.ts";
import { answering } from "./upstream-script.ts";

const ways: readonly Way[] = ["complete", "stream"];

const html = "<html><head><title>Welcome to the proxy</title></head></html>";
const bodies: Readonly<Record<string, readonly [contentType: string, body: string]>> = {
  "a page of HTML": ["text/html", html],
  "a page of HTML that calls itself JSON": ["application/json", html],
  "an empty body": ["application/json", ""],
  "truncated JSON": ["application/json", '{"id":"x","cho'],
  "JSON of another shape": ["application/json", '{"hello":"world"}'],
  "JSON that is no object": ["application/json", "null"],
};

/** What holds of answers that are none. */
export const brokenAnswerCases: Cases<ProviderContext> = {
  ...Object.fromEntries(
    Object.entries(bodies).map(([name, [contentType, body]]) => [
      `${name} is invalid_response, and asked once`,
      (context: ProviderContext) => expectInvalid(context, contentType, body),
    ]),
  ),
  "a redirect is a failure, and not followed": async ({ play, ask, received }) => {
    for (const status of [301, 302, 307, 308]) {
      const before = received.length;
      play({ kind: "other", status, contentType: "text/html", body: "" });
      for (const way of ways) await providerErrorOf(ask(way));
      equal(received.length - before, ways.length, `${status}`);
    }
  },
  "a body cut short is a failure, and asked once": async ({ play, ask, received }) => {
    for (const ending of ["cut", "ended"] as const) {
      play(answering({ ending }));
      await providerErrorOf(ask("complete"));
    }
    equal(received.length, 2);
  },
  "a stream whose connection breaks is a failure, and asked once": async ({ play, ask, received }) => {
    play(answering({ ending: "cut" }));
    await providerErrorOf(ask("stream"));
    equal(received.length, 1);
  },
  "a stream with an event that is broken is invalid_response, and asked once": async ({ play, ask, received }) => {
    play({ kind: "other", status: 200, contentType: "text/event-stream", body: 'data: {"broken\n\n' });
    equal((await providerErrorOf(ask("stream"))).failure, "invalid_response");
    equal(received.length, 1);
  },
  "a stream that ends early has no finish": async ({ play, ask, received }) => {
    play(answering({ ending: "ended" }));
    await failureOfStream(ask("stream"));
    equal(received.length, 1);
  },
  "events are converted where JSON was asked for": async ({ play, ask, codec }) => {
    const { streamType: contentType = "text/event-stream" } = codec;
    play({ kind: "other", status: 200, contentType, body: codec.events(answering()).join("") });
    const { text, finish } = await ask("complete");
    deepEqual([text, finish], ["Hello.", "stop"]);
  },
  "JSON is converted where events were asked for": async ({ play, ask, codec }) => {
    play({ kind: "other", status: 200, contentType: "application/json", body: codec.completion(answering()) });
    const { text, finish } = await ask("stream");
    deepEqual([text, finish], ["Hello.", "stop"]);
  },
  "a connection reset before the answer is unreachable, and asked once": async ({ play, ask, received }) => {
    play({ kind: "reset" });
    for (const way of ways) equal((await providerErrorOf(ask(way))).failure, "unreachable", way);
    equal(received.length, ways.length);
  },
  "an upstream that is not there is unreachable": async ({ shutDown, ask }) => {
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

/** The gateway takes a stream that ends without a finish for a failure, so an adapter may leave that to it. */
async function failureOfStream(asked: Promise<ToldAnswer>): Promise<string> {
  const told = await asked.catch((cause: unknown) => (ProviderError.is(cause) ? cause : Promise.reject(cause)));
  if (ProviderError.is(told)) return told.failure;
  equal(told.finish ?? undefined, undefined, "What the upstream did not finish must not be finished for it.");
  return "unfinished";
}

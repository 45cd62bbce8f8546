import { equal } from "node:assert/strict";
import type { Cases } from "../../suite.ts";
import { providerErrorOf } from "../rejections.ts";
import { answerOf, askNative, type DialectContext } from "./native-calls.ts";
import { nativeSamples } from "./native-samples.ts";

/** The cases of the answers of every dialect. */
export const nativeAnswers: Cases<DialectContext> = {
  "the JSON of the upstream is returned unchanged": async (context) => {
    context.play(answerOf(context, "json"));
    equal(await askNative(context, "json"), nativeSamples[context.dialect].json);
  },
  "truncated JSON is a failure, without a retry": async (context) => {
    context.play(answerOf(context, "json", "cut"));
    await providerErrorOf(askNative(context, "json"));
    equal(context.received.length, 1, "An adapter never retries: the gateway does.");
  },
};

/** The cases of the answers of a dialect with streams. */
export const nativeStreams: Cases<DialectContext> = {
  "the events of the upstream are returned unchanged in a stream": async (context) => {
    context.play(answerOf(context, "stream"));
    equal(await askNative(context, "stream"), nativeSamples[context.dialect].events?.join(""));
  },
  "a stream whose connection is lost is a failure, without a retry": async (context) => {
    context.play(answerOf(context, "stream", "cut"));
    await providerErrorOf(askNative(context, "stream"));
    equal(context.received.length, 1, "An adapter never retries: the gateway does.");
  },
};

import { deepEqual, equal, ok } from "node:assert/strict";
import { completionOf } from "@tollgate/core/provider";
import type { Cases } from "../suite.ts";
import { inTime, type ProviderContext } from "./context.ts";
import { chunksOf } from "./read-chunks.ts";
import { readCompletion } from "./told-answer.ts";
import { expectAborted } from "./told-failure.ts";
import { answering } from "./upstream-script.ts";

/** What holds of every provider, whatever is behind it. */
export const basicCases: Cases<ProviderContext> = {
  "the name and the capabilities are of their types and stay as they are": async ({ provider }) => {
    ok(typeof provider.name === "string" && provider.name.trim() !== "", "A provider must have a name.");
    const { streamUsage, outputCapField, pricedFields, refusedFields = [], cancel } = provider.capabilities;
    equal(typeof streamUsage, "boolean");
    ok(["max_tokens", "max_completion_tokens"].includes(outputCapField), `outputCapField is "${outputCapField}".`);
    ok(
      [...pricedFields, ...refusedFields].every((field) => typeof field === "string"),
      "pricedFields and refusedFields must be names.",
    );
    ok(["stops", "full-charge"].includes(cancel), `cancel is "${cancel}".`);
    deepEqual(
      { refusedFields, ...provider.capabilities },
      { streamUsage, outputCapField, pricedFields, refusedFields, cancel },
    );
  },
  "an answer in one piece has a text and a finish": async ({ play, ask }) => {
    play(answering());
    const told = await ask("complete");
    ok(told.text.length > 0, "The answer must have a text.");
    equal(told.finish, "stop");
  },
  "a stream has a text and a finish": async ({ play, ask }) => {
    play(answering());
    const told = await ask("stream");
    ok(told.text.length > 0, "The answer must have a text.");
    equal(told.finish, "stop");
  },
  "a provider that says so tells its usage in streams": async ({ provider, play, ask }) => {
    play(answering());
    const { tokens } = await ask("stream");
    if (!provider.capabilities.streamUsage) return;
    ok(isCount(tokens?.prompt) && isCount(tokens?.completion), "Usage must be whole numbers of tokens from 0 up.");
  },
  "the request stays as it was": async ({ provider, play, call }) => {
    play(answering());
    const whole = call("complete");
    const streamed = call("stream");
    const before = structuredClone([whole.request, streamed.request]);
    readCompletion(completionOf(await inTime(provider.complete(whole))));
    for await (const _ of chunksOf(await inTime(provider.stream(streamed))));
    deepEqual([whole.request, streamed.request], before);
  },
  "a call that was aborted before it began asks nobody": async ({ play, ask, received }) => {
    play(answering());
    const reason = new Error("The client has gone.");
    const signal = AbortSignal.abort(reason);
    await expectAborted(ask("complete", { signal }), reason);
    await expectAborted(ask("stream", { signal }), reason);
    equal(received.length, 0);
  },
};

const isCount = (count: unknown) => Number.isSafeInteger(count) && Number(count) >= 0;

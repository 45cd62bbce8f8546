import { deepEqual, equal, ok } from "node:assert/strict";
import { completionOf } from "@tollgate/core/provider";
import type { Cases } from "../suite.ts";
import { inTime, type ProviderContext } from "./context.ts";
import { readCompletion } from "./provider-answer.ts";
import { chunksOf } from "./read-chunks.ts";
import { expectAborted } from "./rejections.ts";
import { answering } from "./upstream-script.ts";

/** The cases of every provider, whatever it calls. */
export const basicCases: Cases<ProviderContext> = {
  "the name and the capabilities have the right types and do not change": async ({ provider }) => {
    ok(typeof provider.name === "string" && provider.name.trim() !== "", "A provider must have a name.");
    const capabilities = { ...provider.capabilities };
    const { streamUsage, outputCapField, pricedFields, refusedFields = [], cancel } = capabilities;
    equal(typeof streamUsage, "boolean");
    ok(["max_tokens", "max_completion_tokens"].includes(outputCapField), `outputCapField is "${outputCapField}".`);
    ok(
      [...pricedFields, ...refusedFields].every((field) => typeof field === "string"),
      "pricedFields and refusedFields must be lists of field names.",
    );
    ok(["stops", "full-charge"].includes(cancel), `cancel is "${cancel}".`);
    deepEqual({ ...provider.capabilities }, capabilities);
  },
  "a complete answer has a text and a finish reason": async ({ play, ask }) => {
    play(answering());
    const answer = await ask("complete");
    ok(answer.text.length > 0, "The answer must have a text.");
    equal(answer.finish, "stop");
  },
  "a stream has a text and a finish reason": async ({ play, ask }) => {
    play(answering());
    const answer = await ask("stream");
    ok(answer.text.length > 0, "The answer must have a text.");
    equal(answer.finish, "stop");
  },
  "a provider with streamUsage reports its usage in streams": async ({ provider, play, ask }) => {
    play(answering());
    const { tokens } = await ask("stream");
    if (!provider.capabilities.streamUsage) return;
    ok(
      isCount(tokens?.prompt) && isCount(tokens?.completion),
      "The usage must have token counts that are integers of at least 0.",
    );
  },
  "the request is not modified": async ({ provider, play, call }) => {
    play(answering());
    const whole = call("complete");
    const streamed = call("stream");
    const before = structuredClone([whole.request, streamed.request]);
    readCompletion(completionOf(await inTime(provider.complete(whole))));
    for await (const _ of chunksOf(await inTime(provider.stream(streamed))));
    deepEqual([whole.request, streamed.request], before);
  },
  "a call that is aborted before it starts sends no request": async ({ play, ask, received }) => {
    play(answering());
    const reason = new Error("The client has disconnected.");
    const signal = AbortSignal.abort(reason);
    await expectAborted(ask("complete", { signal }), reason);
    await expectAborted(ask("stream", { signal }), reason);
    equal(received.length, 0);
  },
};

const isCount = (count: unknown) => Number.isSafeInteger(count) && Number(count) >= 0;

import { equal } from "node:assert/strict";
import type { ByteStream, NativeAnswer } from "@tollgate/core/provider";
import type { Cases } from "../../suite.ts";
import { inTime } from "../context.ts";
import { expectAborted } from "../rejections.ts";
import type { UpstreamScript } from "../upstream-script.ts";
import { answerOf, askNative, callNative, type DialectContext, streamOf } from "./native-calls.ts";
import { nativeSamples } from "./native-samples.ts";

const reason = new Error("The client has disconnected.");

/** The cases of aborted calls of every dialect. */
export const nativeCancellation: Cases<DialectContext> = {
  "a call that is aborted before it starts sends no request": async (context) => {
    for (const form of context.forms) {
      context.play(answerOf(context, form));
      await expectAborted(askNative(context, form, { signal: AbortSignal.abort(reason) }), reason);
    }
    equal(context.received.length, 0);
  },
  "an abort while the upstream is silent rejects the call": async (context) => {
    for (const form of context.forms) await abortDuring(context, form, { kind: "silence" });
    equal(context.received.length, context.forms.length, "An adapter never retries.");
    await context.idle();
  },
  "an abort during the JSON rejects the call": async (context) => {
    await abortDuring(context, "json", answerOf(context, "json", "stalled"));
    equal(context.received.length, 1, "An adapter never retries.");
    await context.idle();
  },
};

/** The cases of aborted and cancelled streams. */
export const nativeStreamCancellation: Cases<DialectContext> = {
  "an event arrives before the next one is sent, and an abort ends the stream": async (context) => {
    const controller = new AbortController();
    context.play(answerOf(context, "stream", "stalled"));
    const answer = await callNative(context, "stream", { signal: controller.signal });
    const { first, end } = readFirst(streamOf(answer), nativeSamples[context.dialect].events?.[0] ?? "");
    await inTime(first);
    controller.abort(reason);
    await expectAborted(inTime(end), reason);
    await context.idle();
  },
  "a stream that is cancelled closes its connection": async (context) => {
    context.play(answerOf(context, "stream", "stalled"));
    const stream = streamOf(await callNative(context, "stream"));
    const { first } = readFirst(stream, nativeSamples[context.dialect].events?.[0] ?? "");
    await inTime(first);
    stream.cancel();
    await context.idle();
  },
};

/** Aborts 50 ms after the upstream has received the request. */
async function abortDuring(context: DialectContext, form: NativeAnswer["kind"], script: UpstreamScript): Promise<void> {
  const controller = new AbortController();
  context.play(() => {
    setTimeout(() => controller.abort(reason), 50);
    return script;
  });
  await expectAborted(askNative(context, form, { signal: controller.signal }), reason);
}

/** Reads a stream. `first` resolves when it has delivered the text, and `end` settles as the stream ends. */
function readFirst(stream: ByteStream, text: string): { readonly first: Promise<void>; readonly end: Promise<void> } {
  let deliver: () => void = () => undefined;
  const delivered = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  let received = Buffer.alloc(0);
  const end = new Promise<void>((close, fail) => {
    const write = (chunk: Uint8Array) => {
      received = Buffer.concat([received, chunk]);
      if (received.toString().startsWith(text)) deliver();
    };
    stream.pipeTo({ write, close, fail });
  });
  const early = end.then(() => Promise.reject(new Error("The stream ended before its first event.")));
  return { first: Promise.race([delivered, early]), end };
}

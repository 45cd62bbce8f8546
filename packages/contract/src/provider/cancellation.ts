import { equal, ok } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import { inTime, type ProviderContext, type Way } from "./context.ts";
import { chunksOf } from "./read-chunks.ts";
import { expectAborted } from "./rejections.ts";
import { answering, type UpstreamScript } from "./upstream-script.ts";

const ways: readonly Way[] = ["complete", "stream"];
const reason = new Error("The client has disconnected.");

/** The cases of aborted calls and of streams that are not read to their end. */
export const cancellationCases: Cases<ProviderContext> = {
  "an abort while the upstream is silent rejects the call": async (context) => {
    for (const way of ways) await abortDuring(context, way, { kind: "silence" });
    equal(context.received.length, 2, "An adapter never retries.");
    await context.idle();
  },
  "an abort during a complete answer rejects the call": async (context) => {
    await abortDuring(context, "complete", answering({ ending: "stalled" }));
    equal(context.received.length, 1, "An adapter never retries.");
    await context.idle();
  },
  "each piece of text arrives before the next one is sent, and an abort ends the stream": async (context) => {
    const controller = new AbortController();
    context.play(answering({ ending: "stalled" }));
    const chunks = await readingOf(context, controller.signal);
    equal(await inTime(firstText(chunks)), "Hel");
    const rest = inTime(drain(chunks));
    controller.abort(reason);
    await expectAborted(rest, reason);
    equal(context.received.length, 1, "An adapter never retries.");
    await context.idle();
  },
  "a stream ends when its reader returns": async (context) => {
    const controller = new AbortController();
    context.play(answering({ ending: "stalled" }));
    const stream = await inTime(context.provider.stream(context.call("stream", { signal: controller.signal })));
    const chunks = chunksOf(stream)[Symbol.asyncIterator]();
    equal(await inTime(firstText(chunks)), "Hel");
    const returned = chunks.return?.();
    // `return` of an iterator can wait for a step that only the signal ends. A byte stream only needs to be cancelled.
    if (stream.kind === "chunks") controller.abort(reason);
    await inTime(Promise.resolve(returned).catch(() => undefined));
    await context.idle();
  },
  "an abort ends a stream that is not read": async (context) => {
    const controller = new AbortController();
    context.play(answering({ ending: "stalled" }));
    const stream = await inTime(context.provider.stream(context.call("stream", { signal: controller.signal })));
    ok(stream.kind === "bytes" || stream.kind === "chunks", "The kind of a stream must be `bytes` or `chunks`.");
    controller.abort(reason);
    await context.idle();
  },
};

/** Aborts 50 ms after the upstream has received the request. */
async function abortDuring({ play, ask }: ProviderContext, way: Way, script: UpstreamScript): Promise<void> {
  const controller = new AbortController();
  play(() => {
    setTimeout(() => controller.abort(reason), 50);
    return script;
  });
  await expectAborted(ask(way, { signal: controller.signal }), reason);
}

async function readingOf({ provider, call }: ProviderContext, signal: AbortSignal) {
  const stream = await inTime(provider.stream(call("stream", { signal })));
  return chunksOf(stream)[Symbol.asyncIterator]();
}

type Reading = Awaited<ReturnType<typeof readingOf>>;

async function firstText(chunks: Reading): Promise<string> {
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) throw new Error("The stream ended before its first piece of text.");
    const text = next.value.choices[0]?.delta.content;
    if (typeof text === "string" && text !== "") return text;
  }
}

async function drain(chunks: Reading): Promise<void> {
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next());
}

import { equal, ok } from "node:assert/strict";
import type { Cases } from "../suite.ts";
import { inTime, type ProviderContext, type Way } from "./context.ts";
import { chunksOf } from "./read-chunks.ts";
import { expectAborted } from "./told-failure.ts";
import { answering, type UpstreamScript } from "./upstream-script.ts";

const ways: readonly Way[] = ["complete", "stream"];
const reason = new Error("The client has gone.");

/** What holds of calls that nobody waits for any more. */
export const leavingCases: Cases<ProviderContext> = {
  "a call is aborted while the upstream is silent": async (context) => {
    for (const way of ways) await abortDuring(context, way, { kind: "silence" });
    equal(context.received.length, 2, "An adapter never retries.");
    await context.idle();
  },
  "a call is aborted inside of an answer in one piece": async (context) => {
    await abortDuring(context, "complete", answering({ ending: "stalled" }));
    equal(context.received.length, 1, "An adapter never retries.");
    await context.idle();
  },
  "a piece of text arrives before the next one is sent, and an abort after it ends the stream": async (context) => {
    const leaving = new AbortController();
    context.play(answering({ ending: "stalled" }));
    const chunks = await readingOf(context, leaving.signal);
    equal(await inTime(firstText(chunks)), "Hel");
    const rest = inTime(drain(chunks));
    leaving.abort(reason);
    await expectAborted(rest, reason);
    equal(context.received.length, 1, "An adapter never retries.");
    await context.idle();
  },
  "a stream that its reader leaves is ended": async (context) => {
    const leaving = new AbortController();
    context.play(answering({ ending: "stalled" }));
    const stream = await inTime(context.provider.stream(context.call("stream", { signal: leaving.signal })));
    const chunks = chunksOf(stream)[Symbol.asyncIterator]();
    equal(await inTime(firstText(chunks)), "Hel");
    const left = chunks.return?.();
    // `return` of an iterator may wait for the step that the signal ends; to cancel bytes is enough.
    if (stream.kind === "chunks") leaving.abort(reason);
    await inTime(Promise.resolve(left).catch(() => undefined));
    await context.idle();
  },
  "a stream that nobody reads is ended by its signal": async (context) => {
    const leaving = new AbortController();
    context.play(answering({ ending: "stalled" }));
    const stream = await inTime(context.provider.stream(context.call("stream", { signal: leaving.signal })));
    ok(stream.kind === "bytes" || stream.kind === "chunks", "A stream is of the kind `bytes` or `chunks`.");
    leaving.abort(reason);
    await context.idle();
  },
};

/** Aborts once the upstream has been asked, and has had a moment to begin its answer. */
async function abortDuring({ play, ask }: ProviderContext, way: Way, script: UpstreamScript): Promise<void> {
  const leaving = new AbortController();
  play(() => {
    setTimeout(() => leaving.abort(reason), 50);
    return script;
  });
  await expectAborted(ask(way, { signal: leaving.signal }), reason);
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

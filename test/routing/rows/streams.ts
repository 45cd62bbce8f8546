import { gzipSync } from "node:zlib";
import { aboveHold, answers, breaksOff, failed, healthyPieces, healthyTokens, invalid, late } from "../outcome.ts";
import { type Row, same } from "../row.ts";
import { answer, brokenEvents, close, cut, events, hang, head, reset } from "../script.ts";
import {
  content,
  contentFrames,
  event,
  finish,
  first,
  frame,
  role,
  usage,
  usageOf,
  wholeStream,
} from "../upstream-frames.ts";

const text = wholeStream();
const bytes = Buffer.from(text);
const [opening = "", ...others] = contentFrames(first);
const data = [opening, ...others];
const mark = Buffer.from([0xef, 0xbb, 0xbf]);
const markedText = [
  head(200, { "content-type": "text/plain", connection: "close" }),
  ...[mark.subarray(0, 1), 5, mark.subarray(1), 5, bytes, close],
];
const usageFrame = usage(first, healthyTokens);
const done = "[DONE]";
const inEvents = (...frames: readonly string[]) => events(...frames.map(event));
const withUsage = (reported: unknown) => inEvents(...data, frame(first, [], { usage: reported }), done);
const estimated = answers({ tokens: undefined });
const long = "x".repeat(5 * 1024 * 1024);
const running = (completion: number) => ({ usage: usageOf({ prompt: 10, completion }) });
const others5 = { usage: usageOf(healthyTokens) };
const [one = "", two = ""] = healthyPieces;

/** Streams with unusual encodings, which the gateway normalizes, and streams with faults. */
export const streams: readonly Row[] = [
  same("a well-behaved stream", events(text), answers()),
  same("a stream byte by byte", events(...cut(bytes, 1, 40)), answers()),
  same("pieces of seven bytes, which split characters", events(...cut(bytes, 7, 10)), answers()),
  same("CRLF", events(text.replaceAll("\n", "\r\n")), answers()),
  same("CRLF in pieces of three bytes", events(...cut(Buffer.from(text.replaceAll("\n", "\r\n")), 3, 15)), answers()),
  same("CR", events(text.replaceAll("\n", "\r")), answers()),
  same("a byte order mark", events(Buffer.concat([mark, bytes])), answers()),
  same("a byte order mark, split", events(mark.subarray(0, 1), 5, mark.subarray(1), 5, bytes), answers()),
  same("a byte order mark, split, in a stream called text", markedText, answers()),
  same("comments", events(": begin\n\n", text.replaceAll("data: ", ": ping\n\n:\n: again\ndata: ")), answers()),
  same(
    "names and ids of events",
    events(text.replaceAll("data: ", "event: message\nid: 7\nretry: 1\ndata:")),
    answers(),
  ),
  same("data over several lines", events(text.replaceAll(',"choices"', '\ndata: ,\ndata: "choices"')), answers()),
  same("more empty lines than needed", events(text.replaceAll("\n\n", "\n\n\n\n\n")), answers()),
  same("no [DONE]", inEvents(...data, usageFrame), answers()),
  same("no [DONE], and a partial frame", events(...[...data, usageFrame].map(event), 'data: {"choi'), answers()),
  same("no empty line at the end", events(text.trimEnd()), answers()),
  same("frames after [DONE]", events(text, event(content(first, "too late"))), answers()),
  same(
    "the usage with the finish",
    inEvents(opening, content(first, one), content(first, two), finish(first, others5), done),
    answers(),
  ),
  same(
    "usage in each frame",
    inEvents(
      role(first),
      content(first, one, running(1)),
      content(first, two, running(3)),
      finish(first, running(5)),
      done,
    ),
    answers(),
  ),
  same("two usage frames", inEvents(...data, usage(first, { prompt: 10, completion: 1 }), usageFrame, done), answers()),
  same("usage that is null until the end", inEvents(...data.map(withNull), usageFrame, done), answers()),
  same("no usage", inEvents(...data, done), estimated),
  same("a negative usage", withUsage({ prompt_tokens: 10, completion_tokens: -5, total_tokens: 5 }), estimated),
  same("a usage of 1e300", withUsage({ prompt_tokens: 1e300, completion_tokens: 1 }), estimated),
  same("a usage over the maximum", withUsage({ prompt_tokens: 10, completion_tokens: 1_000_000_001 }), estimated),
  same("a usage above the hold", withUsage(usageOf(aboveHold)), answers({ tokens: aboveHold })),
  same("a usage of fractions", withUsage({ prompt_tokens: 10.5, completion_tokens: 5 }), estimated),
  same("a usage of strings", withUsage({ prompt_tokens: "10", completion_tokens: "5" }), answers()),
  same("a usage that is a string", withUsage("15 tokens"), estimated),
  same(
    "a frame of 5 MB",
    inEvents(...contentFrames(first, [one, long]), usageFrame, done),
    answers({ pieces: [one, long] }),
  ),
  {
    name: "a line that never ends",
    script: events(event(opening), event(content(first, one)), `data: ${"x".repeat(17 * 1024 * 1024)}`),
    streamed: breaksOff("upstream_invalid_response"),
  },
  same(
    "a stream in gzip",
    answer(200, gzipSync(text), { "content-type": "text/event-stream", "content-encoding": "gzip" }),
    answers(),
  ),
  same(
    "a stream in an unknown encoding",
    answer(200, text, { "content-type": "text/event-stream", "content-encoding": "compress" }),
    invalid,
  ),
  ...(
    [
      ["a reset after the usage", reset, failed, {}],
      ["an end of the connection after the usage", close, failed, {}],
      ["a hang after the usage", hang, late(), { idleMs: 600, totalMs: 2_400 }],
    ] as const
  ).map(([name, how, whole, limits]) => ({
    name,
    script: brokenEvents(...[...data, usageFrame].map(event), 5, how),
    limits,
    whole,
    streamed: answers(),
  })),
  {
    name: "a reset before the blank line after the usage",
    script: brokenEvents(...data.map(event), event(usageFrame).slice(0, -1), 5, reset),
    whole: failed,
    streamed: answers(),
  },
  {
    name: "a reset after the finish",
    script: brokenEvents(...data.map(event), 5, reset),
    whole: failed,
    streamed: estimated,
  },
  { name: "a hang after [DONE]", script: brokenEvents(bytes, hang), streamed: answers() },
];

function withNull(each: string): string {
  return each.replace(/\}$/, ',"usage":null}');
}

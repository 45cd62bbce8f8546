import { gzipSync } from "node:zlib";
import {
  aboveHold,
  answers,
  breaksOff,
  credentials,
  failed,
  healthyPieces,
  healthyTokens,
  invalid,
  overloaded,
  rejected,
} from "../outcome.ts";
import { type Row, same } from "../row.ts";
import { answer, canary, close, cut, events, head, keep, leakyMessage, redactedMessage } from "../script.ts";
import { completion, content, event, finish, first, frame, role, usageOf, wholeStream } from "../upstream-frames.ts";

const json = { "content-type": "application/json" };
const stream = { "content-type": "text/event-stream" };
const html = `<!doctype html><title>${canary.host}</title>`;
const whole = completion(first, healthyPieces, usageOf(healthyTokens));
const text = JSON.stringify(whole);
const converted = answers({ sameFrames: false });
const reported = (usage: unknown) => answer(200, completion(first, healthyPieces, usage));
const silent = { index: 0, message: { role: "assistant", content: "" }, finish_reason: "error" };
const estimated = answers({ sameFrames: false, tokens: undefined });

/** Responses with status 200 that are not completions, or not of the requested form. */
export const unexpectedAnswers: readonly Row[] = [
  same("HTML with status 200", answer(200, html), invalid),
  same("HTML with the content type of JSON", answer(200, html, json), invalid),
  same("HTML with the content type of a stream", answer(200, html, stream), invalid),
  same("an empty body", answer(200), invalid),
  same("an empty body with the content type of JSON", answer(200, "", json), invalid),
  same("an empty body with the content type of a stream", answer(200, "", stream), invalid),
  same("204", [head(204, {}), keep], invalid),
  same("a redirect", answer(307, "", { location: "http://127.0.0.1:1/elsewhere" }), invalid),
  same("a redirect with a permanent status", answer(301, html, { location: "/v2" }), invalid),
  same("truncated JSON", answer(200, text.slice(0, -40), json), invalid),
  same("JSON of another shape", answer(200, { answer: 42 }), invalid),
  same("null", answer(200, "null", json), invalid),
  same("an array", answer(200, [1, 2]), invalid),
  same("choices that are not an array", answer(200, { ...whole, choices: "none" }), invalid),
  same("no choices", answer(200, { ...whole, choices: [] }), invalid),
  same("a choice without a message", answer(200, { ...whole, choices: [{ index: 0 }] }), invalid),
  same("a choice that is null", answer(200, { ...whole, choices: [null] }), invalid),
  same("a message that is a string", answer(200, { ...whole, choices: [{ index: 0, message: "Hi" }] }), invalid),
  same(
    "tool calls that are not an array",
    answer(200, JSON.parse(text.replace('"content"', '"tool_calls":"none","content"'))),
    converted,
  ),
  same("gzip", answer(200, gzipSync(text), { ...json, "content-encoding": "gzip" }), converted),
  same("an unknown encoding", answer(200, text, { ...json, "content-encoding": "compress" }), invalid),
  same("an error with status 200", answer(200, { error: { code: 429, message: canary.host } }), overloaded()),
  same("a string as error with status 200", answer(200, { error: "boom" }), failed),
  same("a 401 with status 200", answer(200, { error: { code: "invalid_api_key", message: "No" } }), credentials()),
  same("a 400 with status 200", answer(200, { error: { code: 400, message: "top_k" } }), rejected("top_k")),
  same(
    "errors in an array with status 200",
    answer(200, [{ error: { code: 429, message: canary.host } }]),
    overloaded(),
  ),
  same(
    "an error in addition to an answer",
    answer(200, { ...whole, error: { code: 429, message: canary.host } }),
    overloaded(),
  ),
  same("an error instead of choices", answer(200, { ...whole, choices: [], error: { code: 503 } }), overloaded()),
  same(
    "a choice that ends with an error in JSON",
    answer(200, { ...whole, choices: [{ ...silent, error: { code: 502, message: canary.host } }] }),
    failed,
  ),
  same("a choice whose finish_reason is error", answer(200, { ...whole, choices: [silent] }), failed),
  same("JSON, with and without stream", answer(200, text, json), converted),
  same("JSON with the content type of text", answer(200, text, { "content-type": "text/plain" }), converted),
  same("JSON with a byte order mark", answer(200, `\ufeff${text}`, json), converted),
  same("JSON with white space around it", answer(200, `\r\n  ${text}\n\n`, json), converted),
  same(
    "JSON in small pieces",
    [head(200, { ...json, connection: "close" }), ...cut(Buffer.from(text), 50), close],
    converted,
  ),
  same("a stream, with and without stream", events(wholeStream()), answers()),
  same("a stream with the content type of JSON", answer(200, wholeStream(), json), answers()),
  same(
    "a stream with the content type of text",
    answer(200, wholeStream(), { "content-type": "text/plain" }),
    answers(),
  ),
  same("no usage in JSON", reported(undefined), estimated),
  same("a negative usage in JSON", reported({ prompt_tokens: -5, completion_tokens: 5 }), estimated),
  same("a usage of strings in JSON", reported({ prompt_tokens: "10", completion_tokens: "5" }), converted),
  same(
    "a usage over the maximum in JSON",
    reported({ prompt_tokens: 10, completion_tokens: 1_000_000_001 }),
    estimated,
  ),
  same(
    "a usage above the hold in JSON",
    reported(usageOf(aboveHold)),
    answers({ tokens: aboveHold, sameFrames: false }),
  ),
];

const errorFrame = (error: unknown, before = "") => events(before, event(JSON.stringify({ error })));

/** Streams whose first content is an error. */
export const earlyErrors: readonly Row[] = [
  same("a frame with a 429", errorFrame({ code: 429, message: canary.host }), overloaded()),
  same("a frame with a 503 and a name", errorFrame({ type: "overloaded_error", message: "Busy" }), overloaded()),
  same("a frame with a 500", errorFrame({ code: 500, message: canary.model }), failed),
  same("a frame with a 400", errorFrame({ code: 400, message: "top_k" }), rejected("top_k")),
  same(
    "a frame with a 400 that leaks secrets",
    errorFrame({ code: 400, message: leakyMessage }),
    rejected(redactedMessage),
  ),
  same("a frame with a 401 after the role", errorFrame({ code: 401 }, event(role(first))), credentials()),
  same("a frame with a 402", errorFrame({ type: "billing_error", message: "Pay" }), credentials()),
  same("a frame with a string as error", errorFrame("something went wrong"), failed),
  same("a frame with only an error message", errorFrame({ message: `lost ${canary.host}` }), failed),
  same("an error frame of Google", errorFrame({ code: 503, status: "UNAVAILABLE" }), overloaded()),
  same(
    "an event named error",
    events(`event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Busy"}}\n\n`),
    overloaded(),
  ),
  same("an event named error whose data is not JSON", events("event: error\ndata: boom\n\n"), failed),
  same("only [DONE]", events(event("[DONE]")), invalid),
  same("a frame that is not JSON", events(event("{not json")), invalid),
  same("frames of another shape", events(event('{"answer":42}'), event("[DONE]")), invalid),
  same("an end after the role", events(event(role(first))), invalid),
  same("only a usage frame", events(event(frame(first, [], { usage: usageOf(healthyTokens) }))), invalid),
  same("a choice that ends with an error", events(event(finish(first).replace('"stop"', '"error"'))), failed),
  same("an error in a choice", events(event(frame(first, [{ index: 0, error: { code: 502 } }]))), failed),
];

const leaky400 = JSON.stringify({ error: { code: 400, message: leakyMessage } });

/** Streams that fail after their first content. */
export const lateErrors: readonly Row[] = (
  [
    ["a frame with a 429 after content", event('{"error":{"code":429}}'), "upstream_overloaded"],
    ["a frame with a 401 after content", event('{"error":{"code":401}}'), "upstream_rejected_credentials"],
    ["a frame with a 400 after content", event('{"error":{"code":400,"message":"no"}}'), "invalid_request"],
    ["a frame with a 400 that leaks secrets after content", event(leaky400), "invalid_request"],
    ["an event named error after content", "event: error\ndata: boom\n\n", "upstream_failed"],
    ["a frame that is not JSON after content", event("<html>"), "upstream_invalid_response"],
    ["an end without a finish reason", "", "upstream_invalid_response"],
  ] as const
).map(([name, then, code]) => {
  const script = events(event(role(first)), event(content(first, healthyPieces[0] ?? "")), then);
  return { name, script, streamed: breaksOff(code) };
});

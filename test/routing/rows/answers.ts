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
import { answer, canary, close, cut, events, head, keep, telling, told } from "../script.ts";
import { completion, content, event, finish, first, frame, role, usageOf, wholeStream } from "../upstream-frames.ts";

const json = { "content-type": "application/json" };
const stream = { "content-type": "text/event-stream" };
const html = `<!doctype html><title>${canary.host}</title>`;
const whole = completion(first, healthyPieces, usageOf(healthyTokens));
const text = JSON.stringify(whole);
const converted = answers({ sameFrames: false });
const reported = (usage: unknown) => answer(200, completion(first, healthyPieces, usage));
const silent = { index: 0, message: { role: "assistant", content: "" }, finish_reason: "error" };
const guessed = answers({ sameFrames: false, tokens: undefined });

/** Answers with status 200 that are none, or not of the form that was asked for. */
export const oddAnswers: readonly Row[] = [
  same("HTML with status 200", answer(200, html), invalid),
  same("HTML called JSON", answer(200, html, json), invalid),
  same("HTML called a stream", answer(200, html, stream), invalid),
  same("an empty body", answer(200), invalid),
  same("an empty body called JSON", answer(200, "", json), invalid),
  same("an empty body called a stream", answer(200, "", stream), invalid),
  same("204", [head(204, {}), keep], invalid),
  same("a redirect", answer(307, "", { location: "http://127.0.0.1:1/elsewhere" }), invalid),
  same("a redirect with a permanent status", answer(301, html, { location: "/v2" }), invalid),
  same("truncated JSON", answer(200, text.slice(0, -40), json), invalid),
  same("JSON of another shape", answer(200, { answer: 42 }), invalid),
  same("null", answer(200, "null", json), invalid),
  same("an array", answer(200, [1, 2]), invalid),
  same("choices that are no list", answer(200, { ...whole, choices: "none" }), invalid),
  same("no choices", answer(200, { ...whole, choices: [] }), invalid),
  same("a choice without a message", answer(200, { ...whole, choices: [{ index: 0 }] }), invalid),
  same("a choice that is none", answer(200, { ...whole, choices: [null] }), invalid),
  same("a message that is a text", answer(200, { ...whole, choices: [{ index: 0, message: "Hi" }] }), invalid),
  same(
    "tool calls that are no list",
    answer(200, JSON.parse(text.replace('"content"', '"tool_calls":"none","content"'))),
    converted,
  ),
  same("gzip", answer(200, gzipSync(text), { ...json, "content-encoding": "gzip" }), converted),
  same("an encoding that nobody knows", answer(200, text, { ...json, "content-encoding": "compress" }), invalid),
  same("an error with status 200", answer(200, { error: { code: 429, message: canary.host } }), overloaded()),
  same("a text as error with status 200", answer(200, { error: "boom" }), failed),
  same("a 401 with status 200", answer(200, { error: { code: "invalid_api_key", message: "No" } }), credentials()),
  same("a 400 with status 200", answer(200, { error: { code: 400, message: "top_k" } }), rejected("top_k")),
  same(
    "errors in an array with status 200",
    answer(200, [{ error: { code: 429, message: canary.host } }]),
    overloaded(),
  ),
  same(
    "an error beside an answer",
    answer(200, { ...whole, error: { code: 429, message: canary.host } }),
    overloaded(),
  ),
  same("an error in the place of choices", answer(200, { ...whole, choices: [], error: { code: 503 } }), overloaded()),
  same(
    "a choice that ends with an error in JSON",
    answer(200, { ...whole, choices: [{ ...silent, error: { code: 502, message: canary.host } }] }),
    failed,
  ),
  same("a choice that says no more than that it failed", answer(200, { ...whole, choices: [silent] }), failed),
  same("JSON, whatever was asked for", answer(200, text, json), converted),
  same("JSON called text", answer(200, text, { "content-type": "text/plain" }), converted),
  same("JSON with a byte order mark", answer(200, `\ufeff${text}`, json), converted),
  same("JSON with space around", answer(200, `\r\n  ${text}\n\n`, json), converted),
  same(
    "JSON in small pieces",
    [head(200, { ...json, connection: "close" }), ...cut(Buffer.from(text), 50), close],
    converted,
  ),
  same("a stream, whatever was asked for", events(wholeStream()), answers()),
  same("a stream called JSON", answer(200, wholeStream(), json), answers()),
  same("a stream called text", answer(200, wholeStream(), { "content-type": "text/plain" }), answers()),
  same("no usage in JSON", reported(undefined), guessed),
  same("a negative usage in JSON", reported({ prompt_tokens: -5, completion_tokens: 5 }), guessed),
  same("a usage of texts in JSON", reported({ prompt_tokens: "10", completion_tokens: "5" }), guessed),
  same("an endless usage in JSON", reported({ prompt_tokens: 10, completion_tokens: 1_000_000_001 }), guessed),
  same(
    "a usage above the hold in JSON",
    reported(usageOf(aboveHold)),
    answers({ tokens: aboveHold, sameFrames: false }),
  ),
];

const saying = (error: unknown, before = "") => events(before, event(JSON.stringify({ error })));

/** Streams that say an error before they have said anything else. */
export const earlyErrors: readonly Row[] = [
  same("a frame with a 429", saying({ code: 429, message: canary.host }), overloaded()),
  same("a frame with a 503 and a name", saying({ type: "overloaded_error", message: "Busy" }), overloaded()),
  same("a frame with a 500", saying({ code: 500, message: canary.model }), failed),
  same("a frame with a 400", saying({ code: 400, message: "top_k" }), rejected("top_k")),
  same("a frame with a 400 that tells too much", saying({ code: 400, message: telling }), rejected(told)),
  same("a frame with a 401 after the role", saying({ code: 401 }, event(role(first))), credentials()),
  same("a frame with a 402", saying({ type: "billing_error", message: "Pay" }), credentials()),
  same("a frame with a text", saying("something went wrong"), failed),
  same("a frame with an error alone", saying({ message: `lost ${canary.host}` }), failed),
  same("an error frame of Google", saying({ code: 503, status: "UNAVAILABLE" }), overloaded()),
  same(
    "an event named error",
    events(`event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Busy"}}\n\n`),
    overloaded(),
  ),
  same("an event named error with a text", events("event: error\ndata: boom\n\n"), failed),
  same("[DONE] alone", events(event("[DONE]")), invalid),
  same("a frame that is not JSON", events(event("{not json")), invalid),
  same("frames of another shape", events(event('{"answer":42}'), event("[DONE]")), invalid),
  same("an end after the role", events(event(role(first))), invalid),
  same("a usage and nothing else", events(event(frame(first, [], { usage: usageOf(healthyTokens) }))), invalid),
  same("a choice that ends with an error", events(event(finish(first).replace('"stop"', '"error"'))), failed),
  same("an error in a choice", events(event(frame(first, [{ index: 0, error: { code: 502 } }]))), failed),
];

const told400 = JSON.stringify({ error: { code: 400, message: telling } });

/** Streams that go wrong after their first content. */
export const lateErrors: readonly Row[] = (
  [
    ["a frame with a 429 after content", event('{"error":{"code":429}}'), "upstream_overloaded"],
    ["a frame with a 401 after content", event('{"error":{"code":401}}'), "upstream_rejected_credentials"],
    ["a frame with a 400 after content", event('{"error":{"code":400,"message":"no"}}'), "invalid_request"],
    ["a frame with a 400 that tells too much after content", event(told400), "invalid_request"],
    ["an event named error after content", "event: error\ndata: boom\n\n", "upstream_failed"],
    ["a frame that is not JSON after content", event("<html>"), "upstream_invalid_response"],
    ["an end without a finish", "", "upstream_invalid_response"],
  ] as const
).map(([name, then, code]) => {
  const script = events(event(role(first)), event(content(first, healthyPieces[0] ?? "")), then);
  return { name, script, streamed: breaksOff(code) };
});

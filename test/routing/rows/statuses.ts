import { gzipSync } from "node:zlib";
import { credentials, failed, overloaded, rejected, tooLarge, tooLong } from "../outcome.ts";
import { type Row, same } from "../row.ts";
import { answer, canary, leakyMessage, redactedMessage } from "../script.ts";

const openai = (message: string, code: string | null = null, param: string | null = null) => ({
  error: { message, type: "invalid_request_error", param, code },
});
const anthropic = (type: string, message: string) => ({ type: "error", error: { type, message } });
const google = (code: number, status: string, message: string) => ({ error: { code, status, message } });
const html = `<html><head><title>Error at ${canary.host}</title></head><body>${canary.model}</body></html>`;
const window = "This model's maximum context length is 8192 tokens. Reduce the length of the messages.";
const quoting = "Invalid value: 'incorrect api key'. Supported values are: 'none', 'auto' and 'required'.";
const refused =
  "The model's provider rejected a parameter of this request. Remove optional parameters, or use another model.";
const gzip = { "content-type": "application/json", "content-encoding": "gzip" };
const traceback = `Traceback (most recent call last):\n  File "/srv/${canary.host}/serve.py", line 7, in run\nKeyError`;
const unaffordable =
  "This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 30104.";
const temperature = "Invalid value for 'temperature'.";

/** Every status and every shape of an error body. */
export const statuses: readonly Row[] = [
  same("400 of OpenAI", answer(400, openai(temperature, null, "temperature")), rejected(temperature, "temperature")),
  same("400 that leaks secrets", answer(400, openai(leakyMessage)), rejected(redactedMessage)),
  same("400 with a string", answer(400, { error: "no such option" }), rejected("no such option")),
  same("400 of Anthropic", answer(400, anthropic("invalid_request_error", "top_k")), rejected("top_k")),
  same("400 of Google", answer(400, google(400, "INVALID_ARGUMENT", "topP")), rejected("topP")),
  same("400 with an array", answer(400, [google(400, "INVALID_ARGUMENT", "topP")]), rejected("topP")),
  same("400 with HTML", answer(400, html), rejected(refused)),
  same("400 without a body", answer(400), rejected()),
  same("400 in gzip", answer(400, gzipSync(JSON.stringify(openai(temperature))), gzip), rejected(temperature)),
  same("400 with a traceback", answer(400, traceback), rejected(refused)),
  same("400 with a traceback as its message", answer(400, openai(traceback)), rejected(refused)),
  same("402 that concerns only this request", answer(402, openai(unaffordable)), credentials(false)),
  same("400 whose param is a host", answer(400, openai(temperature, null, canary.host)), rejected(temperature)),
  same("400 about the context", answer(400, openai(window, "context_length_exceeded")), tooLong(window)),
  same("400 about the context, of Anthropic", answer(400, anthropic("invalid_request_error", window)), tooLong(window)),
  same("400 about the host's key", answer(400, google(400, "INVALID_ARGUMENT", "API key not valid.")), credentials()),
  same(
    "400 that quotes the request",
    answer(400, openai(quoting, null, "tool_choice")),
    rejected(quoting, "tool_choice"),
  ),
  same("401", answer(401, openai(`Incorrect API key provided: ${canary.key}`, "invalid_api_key")), credentials()),
  same("401 of Anthropic", answer(401, anthropic("authentication_error", "x-api-key")), credentials()),
  same("402", answer(402, { error: { message: "Insufficient credits", code: 402 } }), credentials()),
  same("403", answer(403, openai("Country not supported")), credentials(false)),
  same("403 of Google", answer(403, [google(403, "PERMISSION_DENIED", canary.host)]), credentials(false)),
  same("404", answer(404, openai(`The model ${canary.model} does not exist`, "model_not_found")), credentials()),
  same("404 with HTML", answer(404, html), credentials()),
  same("408", answer(408), failed),
  same("409", answer(409, openai("Conflict")), failed),
  same("413", answer(413, html), tooLarge),
  same("413 of Anthropic", answer(413, anthropic("request_too_large", "32 MB")), tooLarge),
  same(
    "422 of FastAPI",
    answer(422, { detail: [{ loc: ["body", "messages", 0, "role"], msg: "Input should be 'user'" }] }),
    rejected("Input should be 'user'", "messages.0.role"),
  ),
  same("425", answer(425), failed),
  same("429", answer(429, openai("Rate limit reached", "rate_limit_exceeded")), overloaded()),
  same("429 to be retried immediately", answer(429, "", { "retry-after": "0" }), overloaded()),
  same("429 with a short wait", answer(429, "", { "retry-after": "1" }), overloaded({ retryAfter: 1, apartMs: 990 })),
  same(
    "429 with a short wait in milliseconds",
    answer(429, "", { "retry-after-ms": "300" }),
    overloaded({ retryAfter: 1, apartMs: 290 }),
  ),
  same("429 with a long wait", answer(429, "", { "retry-after": "30" }), overloaded({ tries: 1, retryAfter: 30 })),
  same("429 with a very long wait", answer(429, "", { "retry-after": "90" }), overloaded({ tries: 1, retryAfter: 90 })),
  same(
    "429 with a date",
    answer(429, "", { date: "Sat, 21 Nov 2026 10:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 10:00:45 GMT" }),
    overloaded({ tries: 1, retryAfter: 45 }),
  ),
  same(
    "429 of Google with a wait inside",
    answer(429, { error: { code: 429, status: "RESOURCE_EXHAUSTED", details: [{ retryDelay: "34s" }] } }),
    overloaded({ tries: 1, retryAfter: 34 }),
  ),
  same("429 of an empty account", answer(429, openai("Quota", "insufficient_quota")), credentials()),
  same("500", answer(500, openai("The server had an error")), failed),
  same("500 of Google, in an array", answer(500, [google(500, "INTERNAL", canary.host)]), failed),
  same("500 with a text", answer(500, { error: `CUDA out of memory at ${canary.host}` }), failed),
  same("502 with HTML", answer(502, html), failed),
  same("503", answer(503, html), overloaded()),
  same("503 with a long wait", answer(503, html, { "retry-after": "20" }), overloaded({ tries: 1, retryAfter: 20 })),
  same("504", answer(504, html), failed),
  same("529 of Anthropic", answer(529, anthropic("overloaded_error", "Overloaded")), overloaded()),
];

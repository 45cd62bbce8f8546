import { describe, expect, it } from "vitest";
import { classifyErrorPayload } from "./failure.ts";

describe("classifyErrorPayload", () => {
  it.each([
    ["a numeric code", { code: 429, message: "slow down" }, "overloaded"],
    ["a code in digits", { code: "503", message: "x" }, "overloaded"],
    ["a whole frame", { id: "c", choices: [], error: { code: 401 } }, "credentials"],
    ["OpenAI's type", { message: "x", type: "rate_limit_exceeded" }, "overloaded"],
    ["Anthropic's event", { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "overloaded"],
    [
      "Anthropic's cap on spending",
      { error: { type: "rate_limit_error", details: { error_code: "enforced_spend_limit_reached" }, message: "x" } },
      "credentials",
    ],
    [
      "Anthropic's limit that the host has set",
      { type: "invalid_request_error", message: "You have reached your specified API usage limits." },
      "credentials",
    ],
    ["Google's status", { error: { status: "RESOURCE_EXHAUSTED", message: "x" } }, "overloaded"],
    ["Google's deadline", { error: { status: "DEADLINE_EXCEEDED" } }, "failed"],
    ["vLLM's flat error", { object: "error", message: "bad", type: "BadRequestError", code: 400 }, "rejected"],
    ["a context length without any code", { message: "Input is too long for requested model." }, "context_length"],
    ["a text", "boom", "failed"],
    ["nothing", undefined, "failed"],
    ["null", null, "failed"],
    ["a number", 7, "failed"],
    ["an empty array", [], "failed"],
    ["an error that is its own member's JSON", { message: '{"error":{"code":400,"message":"bad"}}' }, "rejected"],
  ])("classifies %s", (_name, error, failure) => {
    expect(classifyErrorPayload(error).failure).toBe(failure);
  });

  it.each([
    "This model's maximum context length is 8192 tokens, however you requested 9000 tokens.",
    "This endpoint's maximum context length is 163840 tokens.",
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    "the request exceeds the available context size. try increasing the context size",
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 198000 + 20000 > 200000",
    "The input token count (1049000) exceeds the maximum number of tokens allowed (1048576).",
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    "too many tokens: total number of tokens in the prompt cannot exceed 4081",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    "Please reduce the length of the messages or completion.",
  ])("knows a context length: %s", (message) => {
    expect(classifyErrorPayload({ message }, 400).failure).toBe("context_length");
  });

  it.each([
    "max_tokens is too large: 5000. This model supports at most 4096 completion tokens.",
    "Unknown parameter: 'context_window'.",
  ])("takes for no context length: %s", (message) => {
    expect(classifyErrorPayload({ message }, 400).failure).toBe("rejected");
  });

  it.each([
    "API key not valid. Please pass a valid API key.",
    "Incorrect API key provided: xa***ey. You can obtain an API key from the console.",
    "Your credit balance is too low to access the Anthropic API.",
    "You have reached your specified workspace API usage limits.",
    "User location is not supported for the API use.",
    "Gemini API free tier is not available in your country. Please enable billing on your project.",
  ])("knows what is an error that the host must fix, with a 400: %s", (message) => {
    expect(classifyErrorPayload({ message }, 400).failure).toBe("credentials");
  });

  it.each([
    "Invalid value: 'incorrect api key'. Supported values are: 'none', 'auto', and 'required'.",
    "Unrecognized request argument supplied: enable billing",
    "'user location is not supported' is not of type 'object' - 'tools.0'",
  ])("does not mistake a quoted request for an error of the host: %s", (message) => {
    expect(classifyErrorPayload({ message }, 400).failure).toBe("rejected");
  });

  it("prefers an error status of the response to that of the payload", () => {
    expect(classifyErrorPayload({ code: 400, message: "x" }, 503)).toMatchObject({
      failure: "overloaded",
      details: { status: 503 },
    });
  });

  it("uses the payload's status if the response has none of an error", () => {
    expect(classifyErrorPayload({ code: 429 }, 200).details.status).toBe(429);
  });

  it("reads the delay of Google's RetryInfo", () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "33.2s" }];
    expect(classifyErrorPayload({ error: { code: 429, details } }).details.retryAfterSeconds).toBe(34);
  });

  it("gives the host the provider, the status and the code, and the client the cleaned text", () => {
    const error = classifyErrorPayload({ message: "no at http://a.b/c", code: "bad_thing" }, 400, {
      provider: "alpha",
    });
    expect(error.message).toBe("alpha answered 400 (bad_thing). The request has to change before it can succeed.");
    expect(error.details.clientMessage).toBe("no at [removed]");
  });

  it("tells the host to check the base URL for a 404 that names no model", () => {
    const error = classifyErrorPayload({ detail: "Not Found" }, 404);
    expect(error.message).toContain("Check the base URL, which ends before paths such as /chat/completions");
    expect(error.details.upstreamMessage).toBe("Not Found");
  });

  it("keeps the upstream's message of every failure for the host, without hosts and keys", () => {
    const error = classifyErrorPayload({ message: "Quota of sk-12345678 at http://a.b/c is used" }, 429);
    expect(error.details).toEqual({ status: 429, upstreamMessage: "Quota of [removed] at [removed] is used" });
  });

  it("reads a deeply nested payload", () => {
    expect(
      classifyErrorPayload(`{"error":{"message":${'{"message":'.repeat(5_000)}1${"}".repeat(5_002)}`).failure,
    ).toBe("failed");
  });

  it.each([
    [
      402,
      "This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 30104.",
    ],
    [402, "Prompt tokens limit exceeded: 230799 > 91442. To increase, visit the settings."],
    [404, "No endpoints found that support image input"],
    [404, "No endpoints found that can handle the requested parameters."],
  ])("recognizes a %i that concerns only this request: %s", (code, message) => {
    for (const error of [classifyErrorPayload({ message, code }), classifyErrorPayload({ message }, code)]) {
      expect(error).toMatchObject({ failure: "credentials", details: { status: code, requestOnly: true } });
      expect(error.details.clientMessage).toBeUndefined();
      expect(error.message).toContain("lower the model's maxOutputTokens");
    }
  });

  it.each([
    [402, { message: "Insufficient credits. Add more to continue." }],
    [
      402,
      {
        message:
          "This request requires more credits, or fewer max_tokens. You requested up to 9 tokens, but can only afford 0.",
      },
    ],
    [402, { message: "Prompt tokens limit exceeded: 12 > 0." }],
    [402, { message: "Or fewer max_tokens. You can only afford 7.", code: "insufficient_quota" }],
    [402, {}],
    [404, { message: "No endpoints found for acme/model." }],
    [401, { message: "Use fewer max_tokens, you can only afford 7." }],
  ])("attributes a %i with %j to the account or the model", (code, error) => {
    expect(classifyErrorPayload(error, code).details.requestOnly).toBeUndefined();
  });

  const traceback = 'Traceback (most recent call last):\n  File "/srv/app/serve.py", line 7, in run\nKeyError: 1';
  it.each([
    ["a text", "Bad request: no such option"],
    ["a traceback", traceback],
    ["HTML", "<h1>No such option</h1>"],
    ["a string of JSON", '"no such option"'],
    ["a traceback in an error object", { error: { message: traceback } }],
    ["a traceback as the error", { error: traceback }],
    ["a stack of JavaScript in an error object", { error: { message: "TypeError: x\n    at run (/srv/a.js:1:2)" } }],
    ["HTML in an error object", { error: { message: " <html>no</html>" } }],
    ["a text in a list", ["no such option"]],
    ["broken JSON", '{"error":{"message":"no such'],
  ])("hides %s from the client", (_name, body) => {
    for (const status of [400, 422]) expect(classifyErrorPayload(body, status).details.clientMessage).toBeUndefined();
  });

  it("recognizes a context length in a text that is not shown", () => {
    const error = classifyErrorPayload("ValueError: maximum context length is 8192", 400);
    expect(error).toMatchObject({ failure: "context_length", details: { status: 400 } });
    expect(error.details.clientMessage).toBeUndefined();
  });
});

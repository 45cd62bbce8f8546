import { completionOf, type ProviderFailure } from "@tollgate/core/provider";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callOver, canaryKey, everythingOf, providerAt, providerErrorOf, transports } from "./calls.ts";
import { httpUpstream, type Upstream } from "./upstream.ts";

interface Row {
  readonly name: string;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly failure: ProviderFailure;
  readonly says?: string;
  /** Whether the body must not be shown to the client. */
  readonly isSilent?: true;
  readonly param?: string;
  readonly wait?: number;
}

const openai = (message: string, code: string | null, type = "invalid_request_error", param: string | null = null) => ({
  error: { message, type, param, code },
});
const google = (code: number, status: string, message: string) => ({ error: { code, status, message } });
const traceback = 'Traceback (most recent call last):\n  File "/srv/app.py", line 3\nValueError: temperature';
const html = "<html><head><title>502 at edge-17.example.com</title></head></html>";

const rows: readonly Row[] = [
  {
    name: "301",
    status: 301,
    body: "",
    headers: { location: "https://elsewhere.example/v1" },
    failure: "invalid_response",
  },
  {
    name: "400 of OpenAI",
    status: 400,
    body: openai("Invalid value for 'temperature'.", "invalid_value", "invalid_request_error", "temperature"),
    failure: "rejected",
    says: "Invalid value for 'temperature'.",
    param: "temperature",
  },
  {
    name: "400 of Anthropic",
    status: 400,
    body: { type: "error", error: { type: "invalid_request_error", message: "messages: at least one is required" } },
    failure: "rejected",
    says: "messages: at least one is required",
  },
  {
    name: "400 of Google",
    status: 400,
    body: google(400, "INVALID_ARGUMENT", "topP must be in [0, 1]."),
    failure: "rejected",
    says: "topP must be in [0, 1].",
  },
  {
    name: "400 with an array",
    status: 400,
    body: [google(400, "INVALID_ARGUMENT", "topP must be in [0, 1].")],
    failure: "rejected",
    says: "topP must be in [0, 1].",
  },
  {
    name: "400 with a string",
    status: 400,
    body: { error: "no such option" },
    failure: "rejected",
    says: "no such option",
  },
  { name: "400 with HTML", status: 400, body: html, failure: "rejected" },
  { name: "400 with a traceback", status: 400, body: traceback, failure: "rejected", isSilent: true },
  {
    name: "400 about the context of OpenAI",
    status: 400,
    body: openai("This model's maximum context length is 8192 tokens.", "context_length_exceeded"),
    failure: "context_length",
    says: "This model's maximum context length is 8192 tokens.",
  },
  {
    name: "400 about the context of vLLM",
    status: 400,
    body: { object: "error", message: "This model's maximum context length is 4096 tokens.", type: "BadRequestError" },
    failure: "context_length",
  },
  {
    name: "400 about the context of Anthropic",
    status: 400,
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
    },
    failure: "context_length",
  },
  {
    name: "400 about the context of Google",
    status: 400,
    body: google(400, "INVALID_ARGUMENT", "The input token count (1049000) exceeds the maximum number of tokens (1)."),
    failure: "context_length",
  },
  {
    name: "400 about the host's key",
    status: 400,
    body: google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
    failure: "credentials",
  },
  {
    name: "401 that quotes the key",
    status: 401,
    body: openai(`Incorrect API key provided: ${canaryKey}.`, "invalid_api_key"),
    failure: "credentials",
  },
  { name: "402", status: 402, body: { error: { message: "Insufficient credits", code: 402 } }, failure: "credentials" },
  { name: "403", status: 403, body: openai("Country not supported", null), failure: "credentials" },
  { name: "404", status: 404, body: openai("The model does not exist", "model_not_found"), failure: "credentials" },
  { name: "405", status: 405, body: { detail: "Method Not Allowed" }, failure: "credentials" },
  { name: "408", status: 408, body: "", failure: "failed" },
  { name: "409", status: 409, body: "", failure: "failed" },
  { name: "413", status: 413, body: html, failure: "too_large" },
  {
    name: "422 of FastAPI",
    status: 422,
    body: { detail: [{ loc: ["body", "messages", 0, "role"], msg: "Input should be 'user'", type: "enum" }] },
    failure: "rejected",
    says: "Input should be 'user'",
    param: "messages.0.role",
  },
  { name: "425", status: 425, body: "", failure: "failed" },
  {
    name: "429 with seconds",
    status: 429,
    body: openai("Rate limit reached", "rate_limit_exceeded", "tokens"),
    headers: { "retry-after": "7" },
    failure: "overloaded",
    wait: 7,
  },
  {
    name: "429 with a date",
    status: 429,
    body: "",
    headers: { date: "Sat, 21 Nov 2026 10:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" },
    failure: "overloaded",
    wait: 30,
  },
  {
    name: "429 with milliseconds",
    status: 429,
    body: "",
    headers: { "retry-after-ms": "1200" },
    failure: "overloaded",
    wait: 2,
  },
  { name: "429 of an empty account", status: 429, body: openai("Quota", "insufficient_quota"), failure: "credentials" },
  { name: "500", status: 500, body: openai("The server had an error", null, "server_error"), failure: "failed" },
  { name: "502 with HTML", status: 502, body: html, failure: "failed" },
  { name: "503", status: 503, body: html, headers: { "retry-after": "3" }, failure: "overloaded", wait: 3 },
  {
    name: "529",
    status: 529,
    body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    failure: "overloaded",
  },
  { name: "200 with HTML", status: 200, body: html, failure: "invalid_response" },
  { name: "200 without a body", status: 200, body: "", failure: "invalid_response" },
  { name: "200 with truncated JSON", status: 200, body: '{"choices":[{"index":0', failure: "invalid_response" },
  { name: "200 of another shape", status: 200, body: { answer: 42 }, failure: "invalid_response" },
  {
    name: "200 with an error in it",
    status: 200,
    body: { error: { code: 429, message: "Rate limit exceeded" } },
    failure: "overloaded",
  },
  { name: "204", status: 204, body: "", failure: "invalid_response" },
];

describe.each(transports())("a provider's failure over %s", (_name, transport) => {
  let upstream: Upstream;
  let row: Row;
  beforeAll(async () => {
    upstream = await httpUpstream((request, response) => {
      request.resume().on("end", () => {
        const text = typeof row.body === "string" ? row.body : JSON.stringify(row.body);
        const type = typeof row.body === "string" ? "text/html" : "application/json";
        response.writeHead(row.status, { "content-type": type, ...row.headers }).end(text);
      });
    });
  });
  afterAll(() => upstream.close());

  it.each(rows)("$name is classified as $failure, with and without streaming", async (each) => {
    row = each;
    const provider = providerAt(upstream.baseURL);
    const call = () => callOver(transport);
    for (const ask of [() => provider.complete(call()).then(completionOf), () => provider.stream(call())]) {
      const error = await providerErrorOf(ask());
      expect(error.failure).toBe(each.failure);
      expect(error.details.param).toBe(each.param);
      expect(error.details.retryAfterSeconds).toBe(each.wait);
      if (each.isSilent) expect(error.details.clientMessage).toBeUndefined();
      if (each.failure === "credentials") expect(error.details.clientMessage).toBeUndefined();
      if (each.says !== undefined) expect(error.details.clientMessage).toBe(each.says);
      if (each.failure !== "invalid_response" && each.status !== 200) {
        expect(error.details.status).toBe(each.status);
        expect(error.message).toContain(`upstream-a answered ${each.status}`);
      }
      expect(everythingOf(error)).not.toContain(canaryKey);
      expect(everythingOf(error)).not.toMatch(/example\.com|Bearer/);
    }
  });
});

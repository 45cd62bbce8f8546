import { describe, expect, it } from "vitest";
import { isErrorEvent, readReportedError, reportsError } from "./frame-reports.ts";

const sorted = (error: unknown) => readReportedError({ error })?.failure;

describe("readReportedError", () => {
  it.each([
    [400, "rejected"],
    [401, "credentials"],
    [402, "credentials"],
    [403, "credentials"],
    [404, "credentials"],
    [408, "failed"],
    [413, "too_large"],
    [422, "rejected"],
    [429, "overloaded"],
    [500, "failed"],
    [503, "overloaded"],
    [504, "failed"],
    [529, "overloaded"],
  ])("classifies status %i as %s, as a number and as text", (status, failure) => {
    expect(sorted({ code: status })).toBe(failure);
    expect(sorted({ code: String(status) })).toBe(failure);
    expect(readReportedError({ error: { message: "no" }, status_code: status })?.details.status).toBe(status);
  });

  it.each([
    [{ code: "context_length_exceeded", type: "invalid_request_error" }, "context_length"],
    [{ code: 400, message: "This model's maximum context length is 8192 tokens" }, "context_length"],
    [{ code: "rate_limit_exceeded" }, "overloaded"],
    [{ type: "overloaded_error" }, "overloaded"],
    [{ status: "RESOURCE_EXHAUSTED" }, "overloaded"],
    [{ code: "insufficient_quota" }, "credentials"],
    [{ type: "authentication_error" }, "credentials"],
    [{ type: "invalid_request_error" }, "rejected"],
    [{ status: "INVALID_ARGUMENT" }, "rejected"],
    [{ type: "server_error" }, "failed"],
    [{ type: "something new" }, "failed"],
    [{}, "failed"],
    ["just words", "failed"],
    [true, "failed"],
  ])("classifies %j as %s", (error, failure) => {
    expect(sorted(error)).toBe(failure);
  });

  it("reads the shapes of other servers", () => {
    expect(readReportedError({ object: "error", message: "too long", code: 400 })?.failure).toBe("rejected");
    expect(readReportedError([{ error: { code: 503 } }])?.failure).toBe("overloaded");
    expect(readReportedError({ choices: [{ error: { code: 429 } }] })?.failure).toBe("overloaded");
    expect(readReportedError({ choices: [{ finish_reason: "error" }] })?.failure).toBe("failed");
  });

  it.each([
    [null],
    [1],
    ["error"],
    [[]],
    [{}],
    [{ error: null }],
    [{ error: "" }],
    [{ choices: [{ error: null }, 1] }],
  ])("reads no error from %j", (value) => {
    expect(readReportedError(value)).toBeUndefined();
  });

  it("removes hosts, ids and keys from the message", () => {
    const message =
      "Bad tools.0.name at https://user:pw@api.openai.com/v1?key=abc via gpu-3.internal:8000 (10.0.0.7), " +
      "org-abc, me@example.com, sk-proj-abc, req_123, key AIzaSyA1234567890abcdefghij";
    const error = readReportedError({ error: { code: 400, message } });
    expect(error?.details.clientMessage).toContain("Bad tools.0.name at [removed]");
    for (const secret of ["openai", "pw", "gpu-3", "10.0.0.7", "org-abc", "example", "proj-abc", "123", "AIza"]) {
      expect(`${error?.message} ${error?.details.clientMessage}`).not.toContain(secret);
    }
  });

  it("shows the client no message of other failures", () => {
    expect(readReportedError({ error: { code: 500, message: "boom" } })?.details.clientMessage).toBeUndefined();
  });

  it("names the field only when it looks like one", () => {
    expect(readReportedError({ error: { code: 400, param: "messages.0.role" } })?.details.param).toBe(
      "messages.0.role",
    );
    expect(readReportedError({ error: { code: 400, param: "<b>x</b>" } })?.details.param).toBeUndefined();
  });

  it("accepts members of unexpected types", () => {
    expect(sorted({ code: { toString: 1 }, status: [429], type: 5, message: {} })).toBe("failed");
  });
});

it.each([
  { error: { message: "x" } },
  { error: "x" },
  { detail: "Not Found" },
  { detail: [{ loc: ["body"], msg: "x" }] },
  { object: "error", message: "x", code: 400 },
  { message: "x", code: "InvalidParameter" },
  { message: "x", status: 500 },
  { success: false, errors: [], messages: [] },
  { errors: [{ code: 7003, message: "x" }] },
  { error_code: 336_003, error_msg: "x" },
  { base_resp: { status_code: 1_004, status_msg: "x" } },
  { Fault: { faultstring: "x" } },
  { status: "error" },
])("finds the error of %j", (value) => {
  expect(reportsError(value)).toBe(true);
});

it.each([
  {},
  { error: null, errors: [], detail: "", code: 0 },
  { message: "Searching" },
  { message: "ok", code: 0 },
  { message: "success", code: 200 },
  { type: "progress", status: "completed" },
  { base_resp: { status_code: 0, status_msg: "success" } },
  { error_rate: 0.5 },
])("finds none in %j", (value) => {
  expect(reportsError(value)).toBe(false);
});

it.each([
  [{}, "error", "error", false],
  [{}, "upstream_error", "", false],
  [{}, "error", "message_stop", true],
  [{}, "", "internalServerException", false],
  [{ error: { message: "x" } }, "message_stop", "message_stop", true],
  [{ detail: "x" }, "", "", false],
])("finds the error of the event %j, %j, %j", (data, name, type, isKnown) => {
  expect(isErrorEvent(data, name, type, isKnown)).toBe(true);
});

it.each([
  [{}, "", "response.mcp_call.failed", true],
  [{ error: null, detail: "high" }, "ping", "ping", true],
  [{ text: "x" }, "", "vendor.metrics", false],
])("finds none in the event %j, %j, %j", (data, name, type, isKnown) => {
  expect(isErrorEvent(data, name, type, isKnown)).toBe(false);
});

import { expect, it } from "vitest";
import { isErrorEvent, reportsError } from "./frame-reports.ts";

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

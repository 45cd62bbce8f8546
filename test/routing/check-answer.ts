import { expect } from "vitest";
import type { ClientResult } from "./ask.ts";
import { chatView } from "./chat-view.ts";
import type { Expectation } from "./expectation.ts";
import type { Tokens } from "./outcome.ts";
import type { Form } from "./scene.ts";

/** Checks the response that a client received: status, headers and body. */
export function checkAnswer(result: ClientResult, expected: Expectation, tokens: Tokens, form: Form): void {
  if (result.by === "openai") {
    checkOpenAIResult(result, expected);
    return;
  }
  const { answer } = result;
  const { status, headers } = answer;
  expect(headers.get("x-router-attempts")).toBe(String(expected.attempts));
  const { seen } = expected;
  if (seen.kind === "fails") {
    const { retryAfter } = seen;
    expect(headers.get("content-type")).toContain("application/json");
    expect(headers.get("retry-after")).toBe(retryAfter === undefined ? null : String(retryAfter));
    expect(headers.get("x-should-retry")).toBe((retryAfter ?? 0) > 60 ? "false" : null);
    chatView.checkError(answer, seen);
    return;
  }
  const isWhole = form === "whole";
  expect(status).toBe(200);
  expect(headers.get("content-type")).toContain(isWhole ? "application/json" : "text/event-stream; charset=utf-8");
  if (isWhole) chatView.checkWhole({ answer, seen, tokens });
  else chatView.checkStream({ answer, seen, tokens });
}

function checkOpenAIResult({ text, error }: Extract<ClientResult, { by: "openai" }>, { seen }: Expectation): void {
  expect(text).toBe(seen.kind === "fails" ? "" : seen.pieces.join(""));
  if (seen.kind === "answers") expect(error).toBeUndefined();
  else expect(error).toEqual({ status: seen.kind === "fails" ? seen.status : undefined, code: seen.code });
}

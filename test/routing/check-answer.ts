import { expect } from "vitest";
import type { ClientAnswer, ClientResult } from "./ask.ts";
import type { Expectation } from "./expectation.ts";
import type { Fails, Tokens } from "./outcome.ts";
import { type Form, publicModel } from "./scene.ts";
import { completion, content, contentFrames, event, finish, role, usage, usageOf } from "./upstream-frames.ts";

/** Checks the response that a client received: status, headers and body, and streams byte for byte. */
export function checkAnswer(result: ClientResult, expected: Expectation, tokens: Tokens, form: Form): void {
  if (result.by === "openai") {
    checkOpenAIResult(result, expected);
    return;
  }
  const { answer } = result;
  expect(answer.headers.get("x-router-attempts")).toBe(String(expected.attempts));
  const { seen } = expected;
  if (seen.kind === "fails") checkError(answer, seen);
  else if (form === "whole") checkCompletion(answer, expected, tokens);
  else checkStream(answer, expected, tokens);
}

function checkOpenAIResult({ text, error }: Extract<ClientResult, { by: "openai" }>, { seen }: Expectation): void {
  expect(text).toBe(seen.kind === "fails" ? "" : seen.pieces.join(""));
  if (seen.kind === "answers") expect(error).toBeUndefined();
  else expect(error).toEqual({ status: seen.kind === "fails" ? seen.status : undefined, code: seen.code });
}

function checkError({ status, headers, body }: ClientAnswer, { retryAfter, ...seen }: Fails): void {
  const { error } = JSON.parse(body);
  expect({ status, code: error.code }).toEqual({ status: seen.status, code: seen.code });
  expect(headers.get("content-type")).toContain("application/json");
  expect(headers.get("retry-after")).toBe(retryAfter === undefined ? null : String(retryAfter));
  expect(headers.get("x-should-retry")).toBe((retryAfter ?? 0) > 60 ? "false" : null);
  expect(error.param).toBe(seen.param);
  expect(error.message).toMatch(/^.{2,}$/);
  if (seen.message !== undefined) expect(error.message).toBe(seen.message);
}

function checkCompletion({ status, headers, body }: ClientAnswer, { seen }: Expectation, tokens: Tokens): void {
  if (seen.kind !== "answers") throw new Error("An answer without streaming cannot be interrupted. Correct the row.");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toContain("application/json");
  const expected = completion({ id: seen.source.id, model: publicModel }, seen.pieces, usageOf(tokens));
  expect(JSON.parse(body)).toEqual({ ...expected, system_fingerprint: null });
}

function checkStream({ status, headers, body }: ClientAnswer, { seen }: Expectation, tokens: Tokens): void {
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  if (seen.kind === "fails") throw new Error("A failed attempt has no stream. Correct the row.");
  const source = { id: seen.kind === "answers" ? seen.source.id : "up-first", model: publicModel };
  if (seen.kind === "breaks off") {
    const frames = [role(source), ...seen.pieces.map((piece) => content(source, piece))].map(event).join("");
    expect(body.slice(0, frames.length)).toBe(frames);
    checkErrorFrame(body.slice(frames.length), seen.code);
    return;
  }
  const frames = seen.sameFrames ? contentFrames(source, seen.pieces) : converted(source, seen.pieces.join(""));
  const whole = [...frames, usage(source, tokens), "[DONE]"].map(event).join("");
  // Printing a difference of megabytes would take minutes.
  if (whole.length > 100_000) expect(body === whole).toBe(true);
  else expect(body).toBe(whole);
}

/** The frames for a converted completion: one with the whole content, and one with the finish reason. */
function converted(source: { id: string; model: string }, text: string): string[] {
  return [content(source, text).replace('"delta":{', '"delta":{"role":"assistant",'), finish(source)];
}

/** Checks that the rest of the stream is one error frame. */
function checkErrorFrame(rest: string, code: string): void {
  expect(rest).toMatch(/^data: [^\n]*\n\n$/);
  expect(JSON.parse(rest.slice("data: ".length))).toMatchObject({
    id: "up-first",
    object: "chat.completion.chunk",
    model: publicModel,
    choices: [{ index: 0, delta: {}, finish_reason: "error" }],
    error: { code, message: expect.stringMatching(/^.{2,}$/) },
  });
}

import { expect } from "vitest";
import type { ClientAnswer } from "./ask.ts";
import type { Expectation } from "./expectation.ts";
import type { Fails, Tokens } from "./outcome.ts";
import { type Form, publicModel } from "./scene.ts";
import { canary } from "./script.ts";
import { completion, content, contentFrames, event, finish, role, usage, usageOf } from "./upstream-frames.ts";

/** A response to check, and what is expected of it. */
export interface Shown {
  readonly answer: ClientAnswer;
  /** An answer, or its beginning. */
  readonly seen: Exclude<Expectation["seen"], Fails>;
  /** The usage that was charged. */
  readonly tokens: Tokens;
}

/** The message of every request. */
export const prompt = "Say something, please, and take your time.";

const messages = [{ role: "user", content: prompt }];

/** A chat completion as clients request and see it. The frames of a stream are those of the upstream byte for byte. */
export const chatView = {
  requestBody: (form: Form): string => JSON.stringify({ model: publicModel, messages, stream: form === "streamed" }),
  checkRequest(body: unknown, form: Form): void {
    const stream = form === "streamed";
    const options = stream ? { stream_options: { include_usage: true } } : {};
    expect(body).toEqual({ model: canary.model, messages, stream, ...options });
  },
  checkError({ status, body }: ClientAnswer, seen: Fails): void {
    const { error } = JSON.parse(body);
    expect({ status, code: error.code }).toEqual({ status: seen.status, code: seen.code });
    expect(error.param).toBe(seen.param);
    expect(error.message).toMatch(/^.{2,}$/);
    if (seen.message !== undefined) expect(error.message).toBe(seen.message);
  },
  checkWhole({ answer: { body }, seen, tokens }: Shown): void {
    if (seen.kind !== "answers") throw new Error("An answer without streaming cannot be interrupted. Correct the row.");
    const expected = completion({ id: seen.source.id, model: publicModel }, seen.pieces, usageOf(tokens));
    expect(JSON.parse(body)).toEqual({ ...expected, system_fingerprint: null });
  },
  checkStream,
};

function checkStream({ answer: { body }, seen, tokens }: Shown): void {
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

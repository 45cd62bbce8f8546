import type { ClientAnswer } from "../ask.ts";
import type { Expectation } from "../expectation.ts";
import type { Fails, Tokens } from "../outcome.ts";
import type { Form } from "../scene.ts";

/** A response to check, and what is expected of it. */
export interface Shown {
  readonly answer: ClientAnswer;
  /** An answer, or its beginning. */
  readonly seen: Exclude<Expectation["seen"], Fails>;
  /** The usage that was charged. */
  readonly tokens: Tokens;
}

/** How the clients of one dialect ask, and how they see the outcome of a cell. */
export interface DialectView {
  readonly path: string;
  /** The bytes of the request body. */
  requestBody(form: Form): string;
  /** Checks the body of a request that a target received. */
  checkRequest(body: unknown, form: Form): void;
  /** Checks the status and body of a refusal. */
  checkError(answer: ClientAnswer, seen: Fails): void;
  /** Checks an answer in one piece. */
  checkWhole(shown: Shown): void;
  /** Checks a stream to its end. */
  checkStream(shown: Shown): void;
}

/** The message of every request. */
export const prompt = "Say something, please, and take your time.";

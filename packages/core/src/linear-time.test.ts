import { describe, expect, it } from "vitest";
import { slowPieces } from "../test-support/growth.ts";
import { clientText } from "./upstream/client-text.ts";
import { readRetryAfter } from "./upstream/error-payload.ts";
import { classifyErrorPayload, isContextLength } from "./upstream/failure.ts";

// On a busy machine most measurements are repeated.
describe("text that others choose takes linear time", { timeout: 60_000 }, () => {
  it.each([
    ["an upstream's message for the client", (text: string) => clientText(text)],
    ["an upstream's message that is cut", (text: string) => clientText(`${text} ${"x".repeat(400)}`)],
    ["an upstream's message about a context length", (text: string) => isContextLength(undefined, text)],
    ["an upstream's error", (text: string) => classifyErrorPayload({ message: text }, 402)],
    ["an upstream's Retry-After", (text: string) => readRetryAfter(() => text)],
  ])("%s", (_name, work) => {
    expect(slowPieces(work)).toEqual([]);
  });
});

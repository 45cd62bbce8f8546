import { inspect } from "node:util";
import { expect, it } from "vitest";
import { inWords } from "./in-words.ts";

it("keeps the words, the code and the stack of a failure, and nothing that hangs on it", () => {
  const failure = Object.assign(new Error("deadlock detected"), { code: "40P01", parameters: ["hunter2"] });
  failure.cause = new Error("hunter2");
  const words = inWords(failure);
  expect(words).toMatchObject({ message: "deadlock detected", code: "40P01", stack: failure.stack });
  expect(inspect(words, { showHidden: true })).not.toContain("hunter2");
});

it("makes an error of whatever was thrown", () => {
  expect(inWords("gone").message).toBe("gone");
  expect(inWords(undefined).message).toBe("undefined");
});

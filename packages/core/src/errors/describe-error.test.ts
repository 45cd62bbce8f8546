import { inspect } from "node:util";
import { expect, it } from "vitest";
import { describeError } from "./describe-error.ts";

it("keeps the words, the code and the stack of a failure, and nothing that hangs on it", () => {
  const failure = Object.assign(new Error("deadlock detected"), { code: "40P01", parameters: ["hunter2"] });
  failure.cause = new Error("hunter2");
  const words = describeError(failure);
  expect(words).toMatchObject({ message: "deadlock detected", code: "40P01", stack: failure.stack });
  expect(inspect(words, { showHidden: true })).not.toContain("hunter2");
});

it("makes an error of whatever was thrown", () => {
  expect(describeError("gone").message).toBe("gone");
  expect(describeError(undefined).message).toBe("undefined");
});

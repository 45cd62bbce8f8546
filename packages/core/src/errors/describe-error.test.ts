import { inspect } from "node:util";
import { expect, it } from "vitest";
import { describeError } from "./describe-error.ts";

it("keeps the message, code and stack of an error, and drops its other members", () => {
  const failure = Object.assign(new Error("deadlock detected"), { code: "40P01", parameters: ["hunter2"] });
  failure.cause = new Error("hunter2");
  const described = describeError(failure);
  expect(described).toMatchObject({ message: "deadlock detected", code: "40P01", stack: failure.stack });
  expect(inspect(described, { showHidden: true })).not.toContain("hunter2");
});

it("returns an Error for any thrown value", () => {
  expect(describeError("gone").message).toBe("gone");
  expect(describeError(undefined).message).toBe("undefined");
});

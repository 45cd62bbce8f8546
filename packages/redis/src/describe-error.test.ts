import { expect, it } from "vitest";
import { describeError } from "./describe-error.ts";

it("keeps the words of a failure, and nothing that it quotes of a command", () => {
  expect(describeError(new Error("READONLY You can't write against a read only replica."))).toBe(
    "READONLY You can't write against a read only replica",
  );
  const quoting = "ERR unknown command `HELLO`, with args beginning with: `3` `AUTH` `default` `the-password`";
  expect(describeError(new Error(quoting))).toBe("ERR unknown command `HELLO`");
  expect(describeError("gone")).toBe("gone");
});

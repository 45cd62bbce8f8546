import { expect, it } from "vitest";
import { describeError } from "./outage.ts";

it("returns the message of an error without the command that it quotes", () => {
  expect(describeError(new Error("READONLY You can't write against a read only replica."))).toBe(
    "READONLY You can't write against a read only replica",
  );
  const message = "ERR unknown command `HELLO`, with args beginning with: `3` `AUTH` `default` `the-password`";
  expect(describeError(new Error(message))).toBe("ERR unknown command `HELLO`");
  expect(describeError("closed")).toBe("closed");
});

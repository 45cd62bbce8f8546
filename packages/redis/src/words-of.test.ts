import { expect, it } from "vitest";
import { wordsOf } from "./words-of.ts";

it("keeps the words of a failure, and nothing that it quotes of a command", () => {
  expect(wordsOf(new Error("READONLY You can't write against a read only replica."))).toBe(
    "READONLY You can't write against a read only replica",
  );
  const quoting = "ERR unknown command `HELLO`, with args beginning with: `3` `AUTH` `default` `the-password`";
  expect(wordsOf(new Error(quoting))).toBe("ERR unknown command `HELLO`");
  expect(wordsOf("gone")).toBe("gone");
});

import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { shell, snippetsFor } from "./snippets.ts";

it("offers the snippets of the dialects that are served, and no other", () => {
  const input = { baseUrl: "https://host.test/router/v1", secret: "tg_secret", model: "org/large" };
  expect(snippetsFor(["chat", "unknown"], input).map(({ name }) => name)).toEqual(["curl", "OpenAI SDK"]);
  expect(snippetsFor([], input)).toEqual([]);
});

it("quotes a word so that a shell reads it as it is", () => {
  const word = `it's "$HOME" \\ \`id\` \n!`;
  expect(execFileSync("sh", ["-c", `printf %s ${shell(word)}`], { encoding: "utf8" })).toBe(word);
});

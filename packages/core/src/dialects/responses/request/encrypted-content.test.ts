import { expect, it } from "vitest";
import { seal, sealItem, unsealItems } from "./encrypted-content.ts";

const one = { name: "openai-1" };
const other = { name: "openai-2" };

it("returns reasoning to the provider that made it, and to no other", () => {
  const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "secret" };
  const message = { role: "user", content: "Hi" };
  const sealed = sealItem(reasoning, one);
  expect(sealed).not.toEqual(reasoning);
  expect(unsealItems([message, sealed], one)).toEqual([message, reasoning]);
  expect(unsealItems([message, sealed], other)).toEqual([message]);
});

it("leaves out reasoning that no provider can read", () => {
  const unknown = ["secret", "tg1-", null, undefined].map((encrypted_content) => ({
    type: "reasoning",
    encrypted_content,
  }));
  expect(unsealItems(unknown, one)).toEqual([]);
});

it("seals nothing but encrypted content, and does not name the provider", () => {
  const message = { type: "message", content: [] };
  expect(sealItem(message, one)).toBe(message);
  expect(seal("secret", one)).not.toContain(one.name);
});

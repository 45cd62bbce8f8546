import { expect, it } from "vitest";
import { seal, sealItem, unsealItem } from "./encrypted-content.ts";

const one = { name: "openai-1" };
const other = { name: "openai-2" };

it("returns reasoning to the provider that made it, and to no other", () => {
  const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "secret" };
  const message = { role: "user", content: "Hi" };
  const sealed = sealItem(reasoning, one);
  expect(sealed).not.toEqual(reasoning);
  expect(unsealItem(sealed, one)).toEqual(reasoning);
  expect(unsealItem(sealed, other)).toBeUndefined();
  expect(unsealItem(message, other)).toBe(message);
});

it("leaves out reasoning that no provider can read", () => {
  for (const encrypted_content of ["secret", "tg1-", null, undefined]) {
    expect(unsealItem({ type: "reasoning", encrypted_content }, one)).toBeUndefined();
  }
});

it("seals nothing but encrypted content, and does not name the provider", () => {
  const message = { type: "message", content: [] };
  expect(sealItem(message, one)).toBe(message);
  expect(seal("secret", one)).not.toContain(one.name);
});

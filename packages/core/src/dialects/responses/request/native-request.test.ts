import { expect, it } from "vitest";
import type { ProviderAdapter } from "../../../ports/provider-adapter.ts";
import { AccountSigner } from "../../../request/account-signer.ts";
import { sealItem, unsealItem } from "./native-request.ts";

const provider = (name: string): ProviderAdapter => ({
  name,
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: () => Promise.reject(new Error("No call is made.")),
  stream: () => Promise.reject(new Error("No call is made.")),
  secret: () => `sk-${name}`,
});
const one = provider("openai-1");
const other = provider("openai-2");
const signer = new AccountSigner([], "acme");
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "secret" };

it("returns reasoning to the account and the provider that made it, and to no other", () => {
  const sealed = sealItem(reasoning, one, signer);
  expect(sealed).not.toEqual(reasoning);
  expect(unsealItem(sealed, one, signer)).toEqual(reasoning);
  expect(unsealItem(sealed, one, new AccountSigner([], "acme"))).toEqual(reasoning);
  expect(unsealItem(sealed, other, signer)).toBeUndefined();
  expect(unsealItem(sealed, one, new AccountSigner([], "globex"))).toBeUndefined();
});

it("leaves out reasoning that was changed, and reasoning that no provider can read", () => {
  const sealed = signer.seal("secret", one);
  for (const encrypted_content of [`${sealed}!`, sealed.replace("-s", "-S"), "secret", "tg2-", null, undefined]) {
    expect(unsealItem({ type: "reasoning", encrypted_content }, one, signer)).toBeUndefined();
  }
});

it("verifies with every secret of the gateway, and signs with the first", () => {
  const [old, rotated, next] = [["a"], ["b", "a"], ["b"]].map((secrets) => new AccountSigner(secrets, "acme"));
  const sealed = sealItem(reasoning, one, old ?? signer);
  expect(unsealItem(sealed, one, rotated ?? signer)).toEqual(reasoning);
  expect(unsealItem(sealed, one, next ?? signer)).toBeUndefined();
  expect(unsealItem(sealItem(reasoning, one, rotated ?? signer), one, next ?? signer)).toEqual(reasoning);
});

it("seals nothing but encrypted content, and shows neither the provider nor its key", () => {
  const message = { type: "message", content: [] };
  expect(sealItem(message, one, signer)).toBe(message);
  expect(unsealItem({ role: "user", content: "Hi" }, one, signer)).toEqual({ role: "user", content: "Hi" });
  expect(signer.seal("content", one)).not.toContain("openai-1");
});

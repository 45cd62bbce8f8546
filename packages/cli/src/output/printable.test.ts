import { generateKey } from "@tollgate/core";
import { expect, it } from "vitest";
import { looksLikeKey, maskSecrets } from "./printable.ts";

it.each(["tg", "acme_live", "A".repeat(32)])("a key with the prefix %s is recognized and masked", (prefix) => {
  const key = generateKey(prefix);
  expect(looksLikeKey(key)).toBe(true);
  expect(maskSecrets(`There is no "${key}".`)).toBe('There is no "(a key)".');
  expect(maskSecrets(`${key} and ${key}`)).toBe("(a key) and (a key)");
});

it("an id is not recognized as a key", () => {
  for (const id of [crypto.randomUUID(), "invoice_17", "key_00042"]) {
    expect(looksLikeKey(id)).toBe(false);
    expect(maskSecrets(id)).toBe(id);
  }
});

it("the user and the password of a URL are masked, and the host is not", () => {
  expect(maskSecrets("redis://u:p%40ss@cache:6379/0 and https://db.example/x")).toBe(
    "redis://(hidden)@cache:6379/0 and https://db.example/x",
  );
});

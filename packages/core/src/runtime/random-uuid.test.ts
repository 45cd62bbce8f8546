import { afterEach, expect, it, vi } from "vitest";
import { randomUuid } from "./random-uuid.ts";

afterEach(() => vi.restoreAllMocks());

/** More than three draws of random bytes. */
const many = 400;

it("has the form of version 4, and never repeats", () => {
  const ids = Array.from({ length: many }, randomUuid);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(many);
});

it("has every digit in every place but those of the version and the variant", () => {
  const ids = Array.from({ length: 2_000 }, randomUuid);
  const counts = Array.from({ length: 36 }, (_, at) => new Set(ids.map((id) => id[at])).size);
  expect(counts).toEqual(Array.from("gggggggg-gggg-1ggg-4ggg-gggggggggggg", (kind) => sizes[kind]));
});

const sizes: Readonly<Record<string, number>> = { g: 16, "4": 4, "1": 1, "-": 1 };

it("takes every byte of the platform's random numbers once", () => {
  let drawn = 0;
  vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
    if (array instanceof Uint8Array) for (let i = 0; i < array.length; i++) array[i] = (drawn++ >> 4) & 0xff;
    return array;
  });
  const ids = Array.from({ length: many }, randomUuid);
  // What was drawn before is used up first.
  const own = ids.slice(ids.length - 200);
  expect(new Set(own.map((id) => id.slice(0, 2))).size).toBe(200);
  expect(own.every((id) => /^(..)\1{3}-\1\1-4.\1-..\1-\1{6}$/.test(id))).toBe(true);
});

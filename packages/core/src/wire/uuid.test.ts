import { expect, it } from "vitest";
import { uuid } from "./uuid.ts";

it("makes a new UUID each time", () => {
  const made = Array.from({ length: 1000 }, uuid);
  for (const each of made)
    expect(each).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(made).size).toBe(1000);
});

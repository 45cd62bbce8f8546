import { expect, it } from "vitest";
import { uuid } from "./uuid.ts";

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it("makes a new UUID each time, also past the randomness that it takes at once", () => {
  const made = Array.from({ length: 1_000 }, uuid);
  for (const each of made) expect(each).toMatch(version4);
  expect(new Set(made).size).toBe(1_000);
});

it("has every hexadecimal digit at every place that is random", () => {
  const made = Array.from({ length: 1_000 }, uuid);
  for (let place = 0; place < 36; place++) {
    const digits = new Set(made.map((each) => each[place])).size;
    expect(digits).toBe([8, 13, 14, 18, 23].includes(place) ? 1 : place === 19 ? 4 : 16);
  }
});

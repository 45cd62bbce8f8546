import { expect, it } from "vitest";
import { free, pricedTtls, readPrice } from "./model.ts";

it("reads decimal strings as nano-units", () => {
  expect(readPrice({ input: "2.50", output: "10", cachedInput: "1.25", cacheWrite: "3.13", request: "0.001" })).toEqual(
    {
      input: 2_500_000_000n,
      output: 10_000_000_000n,
      cachedInput: 1_250_000_000n,
      cacheWrite: 3_130_000_000n,
      cacheWrite1h: 3_130_000_000n,
      request: 1_000_000n,
      highestInput: 3_130_000_000n,
    },
  );
});

it("prices cached and cache-writing tokens as input when they have no price", () => {
  expect(readPrice({ input: "2", output: "3" })).toMatchObject({
    cachedInput: 2_000_000_000n,
    cacheWrite: 2_000_000_000n,
    request: 0n,
    highestInput: 2_000_000_000n,
  });
});

it("takes the price of a cached token as the highest where it is", () => {
  expect(readPrice({ input: "2", output: "3", cachedInput: "5" }).highestInput).toBe(5_000_000_000n);
});

it("takes the price of a one-hour cache write as the highest where it is, and returns which lifetimes have a price", () => {
  const list = { input: "2", output: "3", cacheWrite: "2.5", cacheWrite1h: "4" };
  expect(readPrice(list).highestInput).toBe(4_000_000_000n);
  expect([...pricedTtls(list)]).toEqual(["5m", "1h"]);
  expect([...pricedTtls({ input: "2", output: "3", cacheWrite: "2.5" })]).toEqual(["5m"]);
  expect([...pricedTtls({ input: "2", output: "3" })]).toEqual([]);
});

it("reads `free` as prices of 0", () => {
  expect(readPrice("free")).toBe(free);
});

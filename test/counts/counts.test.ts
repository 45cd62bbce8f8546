import { describe, expect, it } from "vitest";
import { bars, nodeOfBars } from "./bars.ts";
import { allocatedBytes, recurringMisses } from "./measure-counts.ts";

const isNodeOfBars = process.versions.node.startsWith(`${nodeOfBars}.`);
// Each figure comes from thousands of requests in processes of their own.
const timeout = 300_000;

describe.skipIf(!isNodeOfBars).each(bars)(`$shape, on Node ${nodeOfBars} alone`, ({ shape, cacheMisses, bytes }) => {
  const counted = { checkout: ".", shape };

  it(`has at most ${cacheMisses} inline-cache misses a request that recur`, { timeout }, async () => {
    const misses = await recurringMisses(counted);
    // Names the sites if there are too many.
    expect(sumOf(misses), [...misses.keys()].join("\n")).toBeLessThanOrEqual(cacheMisses);
  });

  it(`allocates at most ${bytes} bytes a request`, { timeout }, async () => {
    expect(await allocatedBytes(counted)).toBeLessThanOrEqual(bytes);
  });
});

const sumOf = (misses: ReadonlyMap<string, number>): number =>
  [...misses.values()].reduce((sum, each) => sum + each, 0);

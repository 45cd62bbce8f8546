import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { LruMap } from "./lru-map.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

function heapAfter(work: () => void): number {
  work();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it.each([
  ["reads", (map: LruMap<number>, at: number) => void map.get(`key-${at % 4}`)],
  ["writes of the same keys", (map: LruMap<number>, at: number) => map.set(`key-${at % 4}`, at)],
  ["evictions", (map: LruMap<number>, at: number) => map.set(`key-${at}`, at)],
])("half a million %s leave nothing in memory", (_, use) => {
  const map = new LruMap<number>({ max: 100, ttlMs: 60_000 });
  for (let at = 0; at < 4; at++) map.set(`key-${at}`, at);
  const useOften = () => {
    for (let at = 0; at < 500_000; at++) use(map, at);
  };
  const before = heapAfter(useOften);
  // One pointer kept for each use would take 4 MB.
  expect(heapAfter(useOften) - before).toBeLessThan(1_000_000);
});

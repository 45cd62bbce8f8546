import type { JsonObject } from "../json-object.ts";
import type { Hints } from "./hints.ts";

/** Returns a number for a schema: the next one in the message that fits, or else the allowed number nearest to 1. */
export function sampleNumber(schema: JsonObject, hints: Hints, whole: boolean): number {
  const range = readRange(schema, whole);
  return hints.takeNumber((value) => fits(value, range)) ?? nearestToOne(range);
}

interface Range {
  readonly low: number;
  readonly high: number;
  readonly lowExcluded: boolean;
  readonly highExcluded: boolean;
  /** 0 if any number is allowed. */
  readonly step: number;
}

function readRange(schema: JsonObject, whole: boolean): Range {
  const minimum = bound(schema["minimum"], -Infinity);
  const above = bound(schema["exclusiveMinimum"], -Infinity);
  const maximum = bound(schema["maximum"], Infinity);
  const below = bound(schema["exclusiveMaximum"], Infinity);
  const step = bound(schema["multipleOf"], 0);
  return {
    low: Math.max(minimum, above),
    high: Math.min(maximum, below),
    lowExcluded: above >= minimum && above > -Infinity,
    highExcluded: below <= maximum && below < Infinity,
    step: whole && !Number.isInteger(step) ? 1 : step === 0 && whole ? 1 : step,
  };
}

const bound = (value: unknown, absent: number): number => (typeof value === "number" ? value : absent);

function fits(value: number, range: Range): boolean {
  const aboveLow = range.lowExcluded ? value > range.low : value >= range.low;
  const belowHigh = range.highExcluded ? value < range.high : value <= range.high;
  return aboveLow && belowHigh && (range.step === 0 || Number.isInteger(value / range.step));
}

function nearestToOne(range: Range): number {
  const { low, high, step } = range;
  if (step > 0) {
    const start = Math.min(Math.max(1, low), high);
    const candidates = [Math.ceil(start / step) * step, Math.floor(start / step) * step];
    const nearby = [...candidates, ...candidates.map((each) => each + step), ...candidates.map((each) => each - step)];
    return nearby.find((value) => fits(value, range)) ?? start;
  }
  const near = Math.min(Math.max(1, low), high);
  if (fits(near, range)) return near;
  const inside = low === -Infinity ? high - 1 : high === Infinity ? low + 1 : (low + high) / 2;
  return inside;
}

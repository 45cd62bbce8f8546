import { setImmediate, setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { it } from "vitest";
import { printFigures } from "../figures.ts";
import { form } from "../form.ts";

/** What is fuzzed: throws if an input has any effect other than the declared ones. */
export interface FuzzTarget<Input> {
  readonly title: string;
  readonly inputs: fc.Arbitrary<Input>;
  take(input: Input): void | Promise<void>;
}

/** The inputs of a target. `npm run test:all -- fuzz` sets `FUZZ_INPUTS`. */
const count = Number(process.env["FUZZ_INPUTS"] ?? (form === "long" ? 20_000 : 200));
/** `FUZZ_SEED` and `FUZZ_PATH` replay what a failure prints. */
const seed = Number(process.env["FUZZ_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const path = process.env["FUZZ_PATH"];

const maxMs = 50;
const batch = 500;

/**
 * Declares a test that passes many inputs to a target. It fails if one throws, takes more than 50 ms, or changes
 * a prototype.
 */
export function fuzzed<Input>(statement: string, prepare: () => FuzzTarget<Input> | Promise<FuzzTarget<Input>>): void {
  it(statement, async () => fuzz(await prepare()), 60_000 + 20 * count);
}

async function fuzz<Input>({ title, inputs, take }: FuzzTarget<Input>): Promise<void> {
  const before = prototypeMembers();
  let taken = 0;
  let slowestMs = 0;
  const property = fc.asyncProperty(inputs, async (input) => {
    const ms = await measure(() => take(input));
    slowestMs = Math.max(slowestMs, ms > maxMs ? await requireFast(() => take(input)) : ms);
    taken += 1;
    if (taken % batch > 0) return;
    requireUnchanged(before);
    // Otherwise no timer would run, and those of a gateway keep it in memory until it has been idle for some seconds.
    await setImmediate();
  });
  const start = performance.now();
  const cpuBefore = process.cpuUsage();
  await fc.assert(property, {
    numRuns: count,
    seed,
    ...(path === undefined ? {} : { path }),
    endOnFailure: form === "short",
  });
  requireUnchanged(before);
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  printFigures(`Fuzzed ${title}`, {
    inputs: taken,
    seed: String(seed),
    seconds: seconds.toFixed(1),
    "CPU seconds": ((user + system) / 1_000_000).toFixed(1),
    "slowest ms": slowestMs.toFixed(1),
  });
}

/** Measures an input that seemed slow again. Each pause is longer than the last, because other processes may need the machine. */
async function requireFast(take: () => void | Promise<void>): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 10 && leastMs > maxMs; attempt++) {
    await setTimeout(attempt * 100);
    leastMs = Math.min(leastMs, await measure(take));
  }
  if (leastMs > maxMs) throw new Error(`The input took ${leastMs.toFixed(0)} ms. At most ${maxMs} are allowed.`);
  return leastMs;
}

/**
 * Returns the milliseconds that an input takes. The wall clock also counts other processes, and the CPU time other threads, such
 * as those of the garbage collector, so that the lower of the two is taken.
 */
async function measure(take: () => void | Promise<void>): Promise<number> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await take();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(ms, (user + system) / 1_000);
}

const prototypes = [Object, Array, Function, String, Number, Boolean, Map, Set, Promise, RegExp, Uint8Array] as const;

const prototypeMembers = (): string =>
  prototypes.map(({ name, prototype }) => `${name}: ${Reflect.ownKeys(prototype).map(String).join(" ")}`).join("\n");

function requireUnchanged(before: string): void {
  if (prototypeMembers() !== before)
    throw new Error(`A prototype has changed from\n${before}\nto\n${prototypeMembers()}`);
}

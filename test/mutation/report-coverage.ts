import { configureGlobal } from "fast-check";
import { afterAll } from "vitest";

// Random cases would kill a mutant in one run and not in the next.
configureGlobal({ seed: 1 });

/**
 * Passes on what the instrumented sources counted. The plugin of Stryker 9.3 does this only up to Vitest 4.0, since the
 * suite became the second parameter.
 */
// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern here.
afterAll(({}, suite) => {
  Object.assign(suite.meta, Reflect.get(globalThis, "__stryker__"));
});

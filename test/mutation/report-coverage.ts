import { configureGlobal } from "fast-check";
import { afterEach } from "vitest";

// Random cases would kill a mutant in one run and not in the next.
configureGlobal({ seed: 1 });

/**
 * Passes on what the mutated sources counted. The plugin of Stryker 9.3 tries to do so in a hook whose parameters are
 * others since Vitest 4.1.
 */
afterEach(({ task }) => {
  Object.assign(task.file.meta, Reflect.get(globalThis, "__stryker__"));
});

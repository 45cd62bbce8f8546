import type { Reporter, TestModule, Vitest } from "vitest/node";

/**
 * Prints the names of the skipped tests at the end of a run. If the variable CI is set, a skipped test fails the run.
 */
export default class SkippedTests implements Reporter {
  #filtered = false;

  onInit({ config }: Vitest): void {
    this.#filtered = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // A run that is filtered by test name skips the other tests on purpose.
    if (this.#filtered) return;
    const names = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].map((test) => `  ${module.relativeModuleId} > ${test.fullName}`),
    );
    if (names.length === 0) return;
    console.warn(`\nSkipped:\n${names.join("\n")}`);
    if (process.env["CI"] === undefined) return;
    console.error("No test may be skipped when CI is set. Start the services that these tests need.");
    process.exitCode = 1;
  }
}

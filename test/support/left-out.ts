import type { Reporter, TestModule, Vitest } from "vitest/node";

/** Says at the end of a run, by name, which tests were left out; with CI set that fails the run. */
export default class LeftOut implements Reporter {
  #chosen = false;

  onInit({ config }: Vitest): void {
    this.#chosen = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // Whoever names the tests to run has left out the others on purpose.
    if (this.#chosen) return;
    const names = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].map((test) => `  ${module.relativeModuleId} > ${test.fullName}`),
    );
    if (names.length === 0) return;
    console.warn(`\nLeft out:\n${names.join("\n")}`);
    if (process.env["CI"] === undefined) return;
    console.error("With CI set every test must run. Start the services that these tests need.");
    process.exitCode = 1;
  }
}

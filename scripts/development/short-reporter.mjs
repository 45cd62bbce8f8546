/** @typedef {import("vitest/node").TestModule} TestModule */

/** Prints one line for each run of tests, and what failed. */
export class ShortReporter {
  /** @type {import("vitest/node").Vitest | undefined} */
  #vitest;
  #isStopped = false;

  /** Prints nothing from now on, since tests that are stopped fail. */
  stop() {
    this.#isStopped = true;
  }

  /** @param {import("vitest/node").Vitest} vitest */
  onInit(vitest) {
    this.#vitest = vitest;
  }

  /** @param {import("vitest").UserConsoleLog} log */
  onUserConsoleLog({ content }) {
    process.stdout.write(content);
  }

  /** @param {readonly import("vitest/node").TestSpecification[]} files */
  onTestRunStart(files) {
    if (files.length > 0 && !this.#isStopped) console.log(`Tests       running ${files.length} files`);
  }

  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly unknown[]} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    if (this.#isStopped) return;
    if (modules.length === 0) {
      console.log("Tests       run when you save a file, those that depend on it.");
      return;
    }
    for (const module of modules) this.#printFailures(module);
    for (const error of unhandled) this.#vitest?.logger.printError(error);
    const count = (/** @type {"passed" | "failed"} */ state) =>
      modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
    const broken = modules.filter((module) => module.errors().length > 0).length + unhandled.length;
    console.log(`Tests       ${count("passed")} passed, ${count("failed") + broken} failed in ${modules.length} files`);
  }

  /** @param {TestModule} module */
  #printFailures(module) {
    const { relativeModuleId, project } = module;
    const failures = [
      { title: relativeModuleId, errors: module.errors() },
      ...[...module.children.allTests("failed")].map((test) => ({
        title: `${relativeModuleId} > ${test.fullName}`,
        errors: test.result().errors ?? [],
      })),
    ];
    for (const { title, errors } of failures) {
      if (errors.length > 0) console.log(`\nFailed      ${title}`);
      for (const error of errors) this.#vitest?.logger.printError(error, { project });
    }
  }
}

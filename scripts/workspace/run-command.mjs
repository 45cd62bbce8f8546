import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";

/** The folder of the workspace. */
export const root = join(import.meta.dirname, "../..");

/**
 * How a command runs.
 * @typedef {object} CommandOptions
 * @property {Readonly<Record<string, string>>} [env] Variables in addition to those of this process.
 * @property {string} [cwd] The root of the workspace by default.
 * @property {boolean} [isProgress] Its output is about progress and goes to stderr, because programs read stdout.
 */

/**
 * Runs a program of the PATH, or of a dependency of the workspace, at this terminal, and returns its exit code.
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {CommandOptions} [options]
 */
export function statusOf(command, parameters, { env = {}, cwd = root, isProgress = false } = {}) {
  const PATH = `${join(root, "node_modules/.bin")}${delimiter}${process.env["PATH"]}`;
  const { status, error } = spawnSync(command, parameters, {
    cwd,
    env: { ...process.env, ...env, PATH },
    stdio: ["inherit", isProgress ? 2 : "inherit", "inherit"],
  });
  if (error !== undefined) console.error(`${command} cannot be started: ${error.message}`);
  return status ?? 1;
}

/**
 * Runs a program as {@link statusOf} does. If it fails, this process ends with its exit code, since it has said why.
 * @param {string} command
 * @param {readonly string[]} parameters
 * @param {CommandOptions} [options]
 */
export function run(command, parameters, options) {
  const status = statusOf(command, parameters, options);
  if (status !== 0) process.exit(status);
}

/**
 * Runs the tests of some projects of `vitest.config.ts`.
 * @param {readonly string[]} projects
 * @param {readonly string[]} [parameters]
 * @param {CommandOptions} [options]
 */
export function runTests(projects, parameters = [], options = {}) {
  run("vitest", ["run", ...projects.flatMap((project) => ["--project", project]), ...parameters], options);
}

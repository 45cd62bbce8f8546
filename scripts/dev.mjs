// Runs the quickstart from the sources and restarts it after each change, and runs the unit tests that depend on what changed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { QuickstartProcess } from "./development/quickstart-process.mjs";
import { ShortReporter } from "./development/short-reporter.mjs";
import { generateSources } from "./workspace/build-steps.mjs";
import { installDependencies } from "./workspace/install-dependencies.mjs";
import { root } from "./workspace/run-command.mjs";

const isPage = /^packages\/(?:dashboard\/page\/(?!fixtures\/)|portal\/page\/|page-kit\/)/;
const isSource =
  /^(?:packages\/[^/]+\/(?:src|page)|examples\/quickstart\/src)\/.*(?<!\.generated)\.(?:tsx?|css|html|svg|json)$/;
const isTest = /\.test\.tsx?$/;
/** Editors and git change several files at once. */
const settleMs = 100;
const closeWithinMs = 3_000;

installDependencies();
generateSources();
clearScreen("Starting the quickstart, and reading the tests");
const quickstart = new QuickstartProcess();
const reporter = new ShortReporter();
quickstart.start();
/** @type {import("vitest/node").Vitest | undefined} */
let vitest;
let isStopping = false;
stopAtSignals();

// Not imported above, since it may not have been installed.
const { createVitest } = await import("vitest/node");
vitest = await createVitest("test", {
  watch: true,
  changed: true,
  project: ["unit", "isolated"],
  reporters: [reporter],
});

stopAtSignals();
/** @type {Set<string>} */
const changed = new Set();
let restarted = Promise.resolve();
vitest.vite.watcher.on("all", (_event, file) => notice(relative(root, file)));
await vitest.start();

/** @param {string} file */
function notice(file) {
  if (!isSource.test(file)) return;
  if (changed.size === 0) {
    clearScreen(`${file} has changed`);
    setTimeout(() => {
      const sources = [...changed].filter((each) => !isTest.test(each));
      changed.clear();
      restarted = restarted.then(() => restart(sources));
    }, settleMs);
  }
  changed.add(file);
}

/** @param {readonly string[]} sources */
async function restart(sources) {
  if (sources.length === 0) return;
  if (sources.some((file) => isPage.test(file))) await buildPage();
  await quickstart.stop();
  if (!isStopping) quickstart.start();
}

async function buildPage() {
  const vite = join(root, "node_modules/.bin/vite");
  for (const page of ["dashboard", "portal"]) {
    const parameters = ["build", "--logLevel", "warn", `packages/${page}/page`];
    await once(spawn(vite, parameters, { cwd: root, stdio: "inherit" }), "exit");
  }
}

/** @param {string} reason */
function clearScreen(reason) {
  if (process.stdout.isTTY) process.stdout.write("\u001b[2J\u001b[3J\u001b[H");
  console.log(`${new Date().toLocaleTimeString()}  ${reason}. Ctrl-C stops.`);
}

/** Removes the listeners of Vitest, which would exit before the quickstart has stopped. */
function stopAtSignals() {
  for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal).on(signal, stop);
}

async function stop() {
  if (isStopping) return;
  isStopping = true;
  // Vitest rejects what it had begun.
  for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, () => undefined);
  reporter.stop();
  // Vitest does not close while it starts a run.
  await Promise.all([quickstart.stop(), Promise.race([vitest?.close(), sleep(closeWithinMs)])]);
  process.exit(0);
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { root } from "../workspace/run-command.mjs";

const killAfterMs = 2_000;
const settings = { QUICKSTART_JSON: "1", QUICKSTART_TRACE: "1" };

/** The quickstart, which runs from the sources of the packages and prints the timeline of each request. */
export class QuickstartProcess {
  /** Read before Vitest changes it. */
  #env = { ...process.env, ...settings };
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;

  start() {
    const loader = ["--conditions", "@tollgate/source", "--import", import.meta.resolve("tsx")];
    const child = spawn(process.execPath, [...loader, "examples/quickstart/src/main.ts"], {
      cwd: root,
      env: this.#env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    createInterface({ input: child.stdout }).on("line", (line) => console.log(announcementOf(line) ?? line));
    child.once("exit", (code) => {
      if (this.#child === child)
        console.log(`Quickstart  ended with code ${code}. It starts again at the next change.`);
    });
  }

  /** Resolves when the process has ended. Requests that run have two seconds to finish. */
  async stop() {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    child.kill("SIGTERM");
    await once(child, "exit");
    clearTimeout(timer);
  }
}

/**
 * Returns what is shown for the line of JSON that the quickstart prints when it listens; undefined for any other line.
 * @param {string} line
 */
function announcementOf(line) {
  if (!line.startsWith('{"router":')) return undefined;
  const { router, keys, dashboard } = JSON.parse(line);
  return [
    `Quickstart  ${dashboard.url} user ${dashboard.user}, password ${dashboard.password}`,
    `            ${router} key ${keys.prepaid}`,
  ].join("\n");
}

// Runs a command of the project several times, each in a clean clone with an empty home, and prints one line for each run.
// Usage: node test/repeat.mjs --times 5 --busy 2 [--command "npm test"] [--log test-results/repeated]
// `--busy 2` lets the last two runs compete with two processes that never wait.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";

const { values } = parseArgs({
  options: {
    times: { type: "string", default: "5" },
    busy: { type: "string", default: "0" },
    command: { type: "string", default: "npm test" },
    log: { type: "string", default: "test-results/repeated" },
  },
});
const [times, busy] = [Number(values.times), Number(values.busy)];
mkdirSync(values.log, { recursive: true });

let failures = 0;
for (let run = 1; run <= times; run++) {
  const isBusy = run > times - busy;
  const log = join(values.log, `${run}.log`);
  const startedAt = Date.now();
  const code = await runOnce(log, isBusy);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  if (code !== 0) failures += 1;
  const result = code === 0 ? "passed" : `failed with code ${code}`;
  const rivals = isBusy ? ", beside two busy processes" : "";
  console.log(`${run}/${times} ${result}, ${seconds} s${rivals}: ${countIn(log)} (${log})`);
}
process.exitCode = failures === 0 ? 0 : 1;

/**
 * Returns the last line of a log with a count of tests.
 * @param {string} log
 */
function countIn(log) {
  const lines = stripVTControlCharacters(readFileSync(log, "utf8")).split("\n");
  return lines.findLast((line) => /\d+ passed/.test(line) && !line.includes("Test Files"))?.trim() ?? "no test ran";
}

/**
 * Returns the exit code of the command in a clean clone.
 * @param {string} log
 * @param {boolean} isBusy
 * @returns {Promise<number | null>}
 */
async function runOnce(log, isBusy) {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-repeat-"));
  const [clone, home] = [join(folder, "clone"), join(folder, "home")];
  mkdirSync(home);
  const cloned = spawnSync("git", ["clone", "--quiet", process.cwd(), clone], { stdio: "inherit" });
  if (cloned.status !== 0) throw new Error("The project could not be cloned. Run this from the root of a checkout.");
  const rivals = isBusy ? [0, 1].map(() => spawn(process.execPath, ["-e", "for (;;);"])) : [];
  try {
    const child = spawn(values.command, { cwd: clone, shell: true, env: { ...process.env, HOME: home } });
    const output = createWriteStream(log);
    child.stdout.pipe(output, { end: false });
    child.stderr.pipe(output, { end: false });
    const [code] = await once(child, "close");
    output.end();
    await once(output, "finish");
    return code;
  } finally {
    for (const rival of rivals) rival.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

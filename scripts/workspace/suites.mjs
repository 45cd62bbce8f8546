import { parts } from "../../test/mutation/parts.mjs";

/**
 * A program with its parameters, and variables in addition to those of the process.
 * @typedef {object} Command
 * @property {string} program
 * @property {readonly string[]} parameters
 * @property {Readonly<Record<string, string>>} env
 */

/**
 * Tests that `npm test` does not run.
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} runs
 * @property {string} time On two cores.
 * @property {"code" | "declarations"} [needs] What is built first. The declarations are built in addition to the code.
 * @property {readonly Command[]} commands
 * @property {{ readonly time: string, readonly commands: readonly Command[] }} [long] The form that `--long` runs.
 */

const long = { FAULTS: "long" };
const printTable = ["--reporter", "default", "--reporter", "./test/runtimes/print-table.ts"];
const buildFuzz = { program: "tsup", parameters: ["--silent", "--config", "test/faults/fuzz/tsup.config.ts"], env: {} };
const fuzzInputs = { FUZZ_INPUTS: process.env["FUZZ_INPUTS"] ?? "200000" };
const mutated = process.env["MUTATE"]?.split(" ") ?? Object.keys(parts);

/** @type {readonly Suite[]} */
export const suites = [
  {
    name: "browser",
    runs: "the dashboard in Chromium, with fixtures and on the quickstart",
    time: "4 min",
    needs: "code",
    commands: [vitest(["browser"])],
  },
  {
    name: "packages",
    runs: "the packages, installed from a local registry into new apps, compiled in hosts, and against their OpenAPI; programs that are started, restarted and killed",
    time: "3 min",
    needs: "declarations",
    commands: [vitest(["packages"])],
  },
  {
    name: "faults",
    runs: "kills, restarts, races, outages and hostile clients; with --long every combination and property in full",
    time: "3 min",
    needs: "code",
    commands: [vitest(["faults"])],
    long: { time: "over 20 min", commands: [vitest(["unit", "integration", "browser", "faults"], [], long)] },
  },
  {
    name: "clickhouse",
    runs: "usage, content and the pipeline of the ledger on the engine of ClickHouse, which it installs; prints latencies on a year of rows",
    time: "4 min",
    needs: "code",
    commands: [vitest(["clickhouse"])],
    long: { time: "15 min", commands: [vitest(["clickhouse"], [], { CLICKHOUSE: "long" })] },
  },
  {
    name: "soak",
    runs: "load on two processes that fail, and what it may not lose; with --long also mutations that it detects",
    time: "2 min",
    commands: [vitest(["soak"])],
    long: { time: "15 min", commands: [vitest(["soak"], [], { SOAK: "long" })] },
  },
  {
    name: "payments",
    runs: "payments under kills, compared with a stand-in for Stripe; with --long before every statement, and 10,000 events",
    time: "1 min",
    commands: [vitest(["faults"], ["test/faults/payments"])],
    long: { time: "15 min", commands: [vitest(["faults"], ["test/faults/payments"], long)] },
  },
  {
    name: "explore",
    runs: "every interleaving of three processes on a ledger in memory; prints the states",
    time: "1 min",
    commands: [vitest(["integration"], ["test/exploration"], long)],
  },
  {
    name: "crash-points",
    runs: "kills on SQLite at 40 of its writes, flushes and truncations; with --long at every one of a run; needs strace",
    time: "1 min",
    commands: [vitest(["faults"], ["test/faults/crash-points"])],
    long: { time: "20 min", commands: [vitest(["faults"], ["test/faults/crash-points"], long)] },
  },
  {
    name: "failover",
    runs: "failovers of PostgreSQL under load; with --long 50 of them, and what other settings lose",
    time: "1 min",
    commands: [vitest(["faults"], ["test/faults/failover"])],
    long: { time: "15 min", commands: [vitest(["faults"], ["test/faults/failover"], long)] },
  },
  {
    name: "shards",
    runs: "the contract suites of all stores over three clusters of PostgreSQL; with --long moves stopped at each statement",
    time: "1 min",
    commands: [vitest(["integration"], ["test/postgres/shards"], long)],
    long: {
      time: "10 min",
      commands: [
        vitest(["integration"], ["test/postgres/shards"], long),
        vitest(["faults"], ["test/faults/shards"], long),
      ],
    },
  },
  {
    name: "exact-money",
    runs: "every case of the exact-money suite on Tollgate with SQLite and PostgreSQL",
    time: "3 min",
    commands: [
      {
        program: process.execPath,
        parameters: ["scripts/exact-money.mjs", "--driver", "tollgate-sqlite", "--driver", "tollgate-postgres"],
        env: {},
      },
    ],
  },
  {
    name: "hostile",
    runs: "every attack of hostile clients on every mount; prints memory and latencies",
    time: "7 min",
    needs: "code",
    commands: [vitest(["faults"], ["test/faults/hostile"], long)],
  },
  {
    name: "fuzz",
    runs: "200,000 random inputs for each parser of untrusted bytes; prints the slowest",
    time: "16 min",
    needs: "code",
    commands: [buildFuzz, vitest(["fuzz"], [], fuzzInputs)],
  },
  {
    name: "mutation",
    runs: "mutation tests of money, limits, templates and addresses; lists what survives",
    time: "30 min",
    commands: mutated.flatMap((part) => [
      { program: "stryker", parameters: ["run", "test/mutation/stryker.config.mjs"], env: { MUTATE: part } },
      { program: process.execPath, parameters: ["test/mutation/check-survivors.mjs"], env: { MUTATE: part } },
    ]),
  },
  {
    name: "agents",
    runs: "Claude Code, Codex and opencode against the quickstart",
    time: "2 min",
    needs: "code",
    commands: [vitest(["agents"])],
  },
  {
    name: "newest",
    runs: "the newest clients, and providers of AI SDK 6 and 7",
    time: "1 min",
    commands: [{ program: process.execPath, parameters: ["test/newest/run.mjs"], env: {} }],
  },
  {
    name: "hosts",
    runs: "the hosts of examples/hosts that are installed and built outside the workspace",
    time: "8 min",
    needs: "declarations",
    commands: [vitest(["hosts"])],
  },
  {
    name: "runtimes",
    runs: "the packages on Node 20 to 26, Bun, Deno and workerd; prints a table",
    time: "3 min",
    needs: "code",
    commands: [vitest(["runtimes"], printTable)],
  },
  {
    name: "create",
    runs: "every combination of npm create tollgate, installed and started",
    time: "5 min",
    needs: "declarations",
    commands: [vitest(["create"])],
  },
  {
    name: "shop",
    runs: "the shop from an empty folder: sign-up, purchase, key, answer, usage and refunds in Chromium",
    time: "1 min",
    needs: "declarations",
    commands: [vitest(["shop"])],
  },
  {
    name: "typescript",
    runs: "the declarations of the installed packages with TypeScript 5.4 to 7",
    time: "4 min",
    needs: "declarations",
    commands: [vitest(["packages"], ["test/packages/published/typescript.test.ts"], { TYPESCRIPT: "all" })],
  },
  {
    name: "rollout",
    runs: "the steps of the Dockerfile, the systemd unit and a rolling restart; needs HAProxy",
    time: "4 min",
    needs: "code",
    commands: [vitest(["rollout"])],
  },
  {
    name: "site",
    runs: "the documentation site, built, in Chromium",
    time: "2 min",
    commands: [vitest(["site"])],
  },
  {
    name: "links",
    runs: "every external link of the pages; needs the internet",
    time: "1 min",
    commands: [vitest(["links"])],
  },
];

/**
 * @param {readonly string[]} projects
 * @param {readonly string[]} [parameters]
 * @param {Readonly<Record<string, string>>} [env]
 * @returns {Command}
 */
function vitest(projects, parameters = [], env = {}) {
  const chosen = projects.flatMap((project) => ["--project", project]);
  return { program: "vitest", parameters: ["run", ...chosen, ...parameters], env };
}

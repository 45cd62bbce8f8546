import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from "vitest/config";

const report = process.env["TEST_REPORT"];
const long = process.env["FAULTS"] === "long";

const conditions = ["@tollgate/source"];
const source = { resolve: { conditions }, ssr: { resolve: { conditions } } };
// Most tests wait for most of their time, so that four at a time fill two cores.
// A machine that has less to offer than the CI may leave tests out; a test left in by mistake may not narrow the run.
const common = {
  pool: "forks",
  testTimeout: 20_000,
  hookTimeout: 30_000,
  maxWorkers: 4,
  allowOnly: false,
  // The second that Vitest waits by default is too short on a busy machine.
  expect: { poll: { timeout: 10_000 } },
} as const;

const newest = process.env["NEWEST_CLIENTS"];
/** Takes the clients that the tests import from the folder of `test/newest/run.mjs`. */
const newestClients: Plugin = {
  name: "newest-clients",
  enforce: "pre",
  resolveId(id) {
    const isClient = /^(?:ai|openai|zod|@anthropic-ai\/sdk|@ai-sdk\/[\w-]+)(?:\/|$)/.test(id);
    return isClient ? this.resolve(id, `${newest}/importer.js`, { skipSelf: true }) : undefined;
  },
};

type Tests = NonNullable<TestProjectInlineConfiguration["test"]>;
const project = (name: string, include: string[], tests: Tests): TestProjectInlineConfiguration => ({
  ...source,
  test: { ...common, name, include, ...tests, exclude: ["**/node_modules/**", ...(tests.exclude ?? [])] },
});

const besideSources = [
  "packages/*/src/**/*.test.ts",
  "packages/dashboard/page/src/**/*.test.ts",
  "examples/*/src/**/*.test.ts",
];
const isolated = "**/*.isolated.test.ts";
// An example reads its settings from the environment when it is imported, so each test needs modules of its own.
const examples = "test/examples/**/*.test.ts";
// Installs packages from npm's registry, which is slow and not always available.
const createdFromRegistry = "test/packages/published/create.test.ts";
// Prism takes ten seconds of processor time for each document, and a compiler for each host.
const slowTools = ["test/openapi/prism*.test.ts", "test/packages/hosts/**/*.test.ts"];
// These kill processes, take servers away, attack or wait for deliveries, as the tests in `test/faults` do.
const outages = [
  "test/redis/{failover,outage,servers,silence}.test.ts",
  "test/webhook/deadline.test.ts",
  "test/router/{hostile-bodies,notices}.test.ts",
];
// These start whole programs again and again, which takes most of their time.
const programs = [
  "test/upgrades/rolling-upgrade.test.ts",
  "test/quickstart/{quickstart,conversation,restarts}.test.ts",
  "test/commands/dev.test.ts",
  "test/cli/program.test.ts",
  "test/examples/cluster.test.ts",
];
// Everything here talks to a server.
const postgres = "packages/postgres/src/**/*.test.ts";

/** CONTRIBUTING.md says which file belongs to which project, and which command runs it. */
export default defineConfig({
  test: {
    globalSetup: ["test/support/services.ts"],
    reporters: [
      "default",
      "./test/support/skipped-tests.ts",
      ...(report === undefined ? [] : [["json", { outputFile: report }] satisfies [string, object]]),
    ],
    projects: [
      project("unit", besideSources, { exclude: [isolated, postgres], isolate: false }),
      project(
        "isolated",
        ["packages/*/src", "examples/*/src", "test"].map((folder) => `${folder}/${isolated}`),
        {},
      ),
      project("examples", [examples], { exclude: programs }),
      project("integration", ["test/**/*.test.ts", postgres], {
        // Importing the gateway and its providers takes longer than most of these tests.
        isolate: false,
        exclude: [
          isolated,
          examples,
          ...["faults", "soak", "browser", "runtimes", "rollout", "site", "links", "clickhouse"].map(
            (folder) => `test/${folder}/**`,
          ),
          "test/packages/published/**",
          ...slowTools,
          ...outages,
          ...programs,
          "test/agents/**",
          "test/newest/**",
          "test/create/installed/**",
          "test/shop/**",
          "test/hosts/installed/**",
        ],
      }),
      project("browser", ["test/browser/**/*.test.ts"], {
        testTimeout: 60_000,
        maxWorkers: 2,
      }),
      project("packages", ["test/packages/published/**/*.test.ts", ...slowTools, ...programs], {
        exclude: [createdFromRegistry],
        globalSetup: ["test/packages/published/local-registry.ts"],
        testTimeout: 150_000,
      }),
      project("hosts", ["test/hosts/installed/**/*.test.ts"], { testTimeout: 60_000 }),
      project("agents", ["test/agents/**/*.test.ts"], { testTimeout: 120_000, hookTimeout: 300_000 }),
      // Installs the newest clients: `test/newest/run.mjs`.
      {
        ...project(
          "newest",
          ["conformance", "ai-sdk", "newest"].map((folder) => `test/${folder}/**/*.test.ts`),
          { isolate: false },
        ),
        plugins: [newestClients],
      },
      project("runtimes", ["test/runtimes/**/*.test.ts"], { hookTimeout: 120_000 }),
      project("create", ["test/create/installed/**/*.test.ts", createdFromRegistry], {
        globalSetup: ["test/packages/published/local-registry.ts"],
        testTimeout: 60_000,
        hookTimeout: 300_000,
      }),
      project("shop", ["test/shop/**/*.test.ts"], {
        globalSetup: ["test/packages/published/local-registry.ts"],
        testTimeout: 60_000,
        hookTimeout: 240_000,
      }),
      // Each builds what it tests.
      project("rollout", ["test/rollout/**/*.test.ts"], {}),
      project("site", ["test/site/**/*.test.ts"], {}),
      // Installs the engine of ClickHouse, whose 550 MB are not in the lockfile.
      project("clickhouse", ["test/clickhouse/**/*.test.ts"], { hookTimeout: 300_000, maxWorkers: 1 }),
      // Needs the internet.
      project("links", ["test/links/**/*.test.ts"], {}),
      project("faults", ["test/faults/**/*.test.ts", ...outages], {
        globalSetup: ["test/faults/build-workers.ts"],
        maxWorkers: long ? 1 : 4,
        // After all others, whose timing the killed processes would disturb.
        sequence: { groupOrder: 1 },
      }),
      // The targets of `test/faults/fuzz`, bundled, because they take half of the time then.
      project("fuzz", ["test/faults/fuzz/dist/*.test.js"], { maxWorkers: 2 }),
      project("soak", ["test/soak/**/*.test.ts"], {
        globalSetup: ["test/soak/build-workers.ts"],
        maxWorkers: 1,
        sequence: { groupOrder: 2 },
      }),
    ],
  },
});

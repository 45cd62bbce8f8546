import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

type Rule = readonly [RegExp, string];

/** Patterns that are forbidden in a test file that shares its process with others, with advice. */
const shared: readonly Rule[] = [
  [/\bvi\.(?:mock|doMock|resetModules)\(/, "changes modules for other files. Name it .isolated.test.ts."],
  [
    /\bprocess\.(?:on|once|removeAllListeners|chdir)\(|\bprocess\.env\[[^\]]*\] = /,
    "changes the process for other files. Name it .isolated.test.ts.",
  ],
  [
    /^(?![\s\S]*\bvi\.useRealTimers\()[\s\S]*\bvi\.useFakeTimers\(/,
    "does not restore real timers. Call vi.useRealTimers() at the end.",
  ],
  [
    /^(?![\s\S]*\bvi\.unstubAllEnvs\()[\s\S]*\bvi\.stubEnv\(/,
    "does not restore the environment. Call vi.unstubAllEnvs() at the end.",
  ],
];

/** Patterns that are forbidden in a test file that has no services. */
const withoutServices: readonly Rule[] = [
  [/\binject\(|from "(?:pg|redis|ioredis)"/, "requires a service. Move it to test/ or packages/postgres."],
];

it.each([
  ['vi.mock("./a.ts");', "Name it .isolated.test.ts."],
  ["vi.resetModules();", "Name it .isolated.test.ts."],
  ['process.once("exit", end);', "Name it .isolated.test.ts."],
  ['process.env["HOST"] = host;', "Name it .isolated.test.ts."],
  ['import { Pool } from "pg";', "Move it to test/ or packages/postgres."],
  ['const url = inject("redis");', "Move it to test/ or packages/postgres."],
  ["beforeEach(() => vi.useFakeTimers());", "Call vi.useRealTimers() at the end."],
  ['vi.stubEnv("HOST", host);', "Call vi.unstubAllEnvs() at the end."],
])("a unit test with %s is rejected", (text, advice) => {
  expect(problemsOf(text, [...shared, ...withoutServices])).toEqual([expect.stringContaining(advice)]);
});

it("a test that restores what it changes is accepted", () => {
  expect(problemsOf("afterEach(() => vi.useRealTimers());\nbeforeEach(() => vi.useFakeTimers());", shared)).toEqual([]);
});

it("no unit test changes its process for other files or requires a service", () => {
  const files = testsIn(sourceFolders().filter((folder) => folder !== "packages/postgres/src"));
  expect(files.length).toBeGreaterThan(100);
  expect(problemsIn(files, [...shared, ...withoutServices])).toEqual([]);
});

it("no integration test changes its process for other files", () => {
  const files = testsIn(["test", "packages/postgres/src"]).filter(({ path }) => !hasOwnProcess.test(path));
  expect(files.length).toBeGreaterThan(200);
  expect(problemsIn(files, shared)).toEqual([]);
});

/** The folders whose projects run each file in a process of its own, the texts of rules, and what is installed. */
const hasOwnProcess =
  /^test\/(?:browser|examples|faults|hosts\/installed|links|packages\/published|rollout|runtimes|site|soak|structure)\/|\/node_modules\//;

interface TestFile {
  readonly path: string;
  readonly text: string;
}

const problemsIn = (files: readonly TestFile[], rules: readonly Rule[]): readonly string[] =>
  files.flatMap(({ path, text }) => problemsOf(text, rules).map((problem) => `${path} ${problem}`));

const problemsOf = (text: string, rules: readonly Rule[]): readonly string[] =>
  rules.flatMap(([pattern, problem]) => (pattern.test(text) ? [problem] : []));

const root = resolve(import.meta.dirname, "../..");

const sourceFolders = (): readonly string[] =>
  ["packages", "examples"]
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}/src`))
    .filter((folder) => existsSync(join(root, folder)));

/** Reads the test files of the folders that are not named as isolated. */
const testsIn = (folders: readonly string[]): readonly TestFile[] =>
  folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => path.endsWith(".test.ts") && !path.endsWith(".isolated.test.ts"))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

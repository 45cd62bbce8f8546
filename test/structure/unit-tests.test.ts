import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

/** Patterns that are forbidden in a test file that shares its process with others and has no services, with advice. */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/\bvi\.(?:mock|doMock|resetModules)\(/, "changes modules for other files. Name it .isolated.test.ts."],
  [
    /\bprocess\.(?:on|once|removeAllListeners|chdir)\(/,
    "changes the process for other files. Name it .isolated.test.ts.",
  ],
  [/\binject\(|from "(?:pg|redis|ioredis)"/, "requires a service. Move it to test/ or packages/postgres."],
  [
    /^(?![\s\S]*\bvi\.useRealTimers\()[\s\S]*\bvi\.useFakeTimers\(/,
    "does not restore real timers. Call vi.useRealTimers() at the end.",
  ],
];

it.each([
  ['vi.mock("./a.ts");', "Name it .isolated.test.ts."],
  ["vi.resetModules();", "Name it .isolated.test.ts."],
  ['process.once("exit", end);', "Name it .isolated.test.ts."],
  ['import { Pool } from "pg";', "Move it to test/ or packages/postgres."],
  ['const url = inject("redis");', "Move it to test/ or packages/postgres."],
  ["beforeEach(() => vi.useFakeTimers());", "Call vi.useRealTimers() at the end."],
])("a unit test with %s is rejected", (text, advice) => {
  expect(problemsOf(text)).toEqual([expect.stringContaining(advice)]);
});

it("a unit test that restores what it changes is accepted", () => {
  expect(problemsOf("afterEach(() => vi.useRealTimers());\nbeforeEach(() => vi.useFakeTimers());")).toEqual([]);
});

it("no unit test changes its process for other files or requires a service", () => {
  const files = unitTests();
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(({ path, text }) => problemsOf(text).map((problem) => `${path} ${problem}`))).toEqual([]);
});

const problemsOf = (text: string): readonly string[] =>
  forbidden.flatMap(([pattern, problem]) => (pattern.test(text) ? [problem] : []));

/** Reads the files of the Vitest project `unit`. */
function unitTests(): readonly { readonly path: string; readonly text: string }[] {
  const root = resolve(import.meta.dirname, "../..");
  const sources = ["packages", "examples"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}/src`),
  );
  return sources
    .filter((folder) => folder !== "packages/postgres/src" && existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => path.endsWith(".test.ts") && !path.endsWith(".isolated.test.ts"))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

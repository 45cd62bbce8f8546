import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chooseSuites, tableOf } from "../../scripts/workspace/choose-suites.mjs";
import { suites } from "../../scripts/workspace/suites.mjs";
import config from "../../vitest.config.ts";

const names = suites.map(({ name }) => name);

describe("the suites of test:all", () => {
  it("have one line each in the table", () => {
    const lines = tableOf(suites).split("\n");
    expect(lines.filter((line) => names.includes(line.split(" ")[0] ?? "")).length).toBe(suites.length);
    expect(new Set(names).size).toBe(suites.length);
  });

  it("run every project of Vitest that npm test does not run, and only projects that there are", () => {
    const projects = (config.test?.projects ?? []).map((each) =>
      typeof each === "object" && "test" in each ? each.test?.name : each,
    );
    const run = suites.flatMap(({ commands, long }) => [...commands, ...(long?.commands ?? [])]).flatMap(projectsIn);
    const ofTest = /runTests\(\[(.*)\]/.exec(readFileSync("scripts/test.mjs", "utf8"))?.[1]?.match(/\w+/g) ?? [];
    // Its script chooses another Node and starts Vitest itself.
    expect(new Set([...ofTest, ...run, "newest"])).toEqual(new Set(projects));
  });

  it("are chosen by their names, in the order of the names", () => {
    const { chosen, isLong, problem } = chooseSuites(suites, ["soak", "--long", "faults"]);
    expect([chosen.map(({ name }) => name), isLong, problem]).toEqual([["soak", "faults"], true, undefined]);
  });

  it.each([
    [["brwser"], 'There is no suite "brwser". Did you mean "browser"? npm run test:all lists them.'],
    [["faults", "packags"], 'There is no suite "packags". Did you mean "packages"? npm run test:all lists them.'],
    [["faults", "browser", "--long"], 'The suite "browser" has no long form. Leave out --long.'],
  ])("of which none runs for %j, which says what to do", (parameters, problem) => {
    expect(chooseSuites(suites, parameters)).toMatchObject({ chosen: [], problem });
  });
});

it("the limits of the steps in .ci/run add up to 25 minutes, and its suites exist", () => {
  const script = readFileSync(".ci/run", "utf8");
  const limits = [...script.matchAll(/deadline=\$\(\(SECONDS \+ (\d+)\)\)|run_step "\$reports" \w+ (\d+) npm/g)];
  const seconds = limits.map(([, install, step]) => Number(install ?? step));
  expect(seconds.length).toBe(6);
  expect(seconds.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(25 * 60);
  const run = [...script.matchAll(/test:all -- (\w+)/g)].map(([, name]) => name);
  expect(run.filter((name) => name === undefined || !names.includes(name))).toEqual([]);
  expect(script).toMatch(/ npm test$/m);
});

function projectsIn({ parameters }: { readonly parameters: readonly string[] }): readonly string[] {
  return parameters.filter((_, at) => parameters[at - 1] === "--project");
}

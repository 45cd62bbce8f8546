import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";

// These tests use the built packages, like an installed copy. Run `node scripts/build.mjs --types` first.
const workspace = join(import.meta.dirname, "../../..");
const compiler = join(workspace, "node_modules/typescript7/bin/tsc");
const jest = join(workspace, "test/node_modules/jest/bin/jest.js");

const served = { models: [200, 1], completion: [200, "Hi"], stream: [200, true] };
const everyMount = {
  "node:http": served,
  "express 5": served,
  "express 4": served,
  fastify: served,
  hono: served,
};

async function run(parameters: readonly string[]) {
  const program = spawn(process.execPath, parameters, { cwd: import.meta.dirname, env: plainEnvironment() });
  const [output, errors, [code]] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    once(program, "close"),
  ]);
  return { code, output, errors };
}

/**
 * The environment without Vitest's settings for its child processes, such as conditions that resolve to the sources.
 */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME };
}

describe("a CommonJS host", () => {
  it("can require every package, and every adapter works with a framework loaded by require", async () => {
    const { output, errors } = await run(["commonjs.cjs"]);
    // Node 22 and older can print a warning that `require` of ES modules is experimental.
    expect(errors.replace(/^.*ExperimentalWarning.*\n.*--trace-warnings.*\n/gm, "")).toBe("");
    expect(JSON.parse(output)).toEqual(everyMount);
  });

  it("can use every adapter under Jest", async () => {
    const options = ["--rootDir", ".", "--testMatch", "**/*.jest.cjs", "--transform", "{}", "--cache=false"];
    const { code, errors } = await run(["--experimental-vm-modules", jest, ...options]);
    expect({ code, errors }).toEqual({ code: 0, errors: expect.stringContaining("1 passed") });
  }, 60_000);
});

describe("a TypeScript host", () => {
  it.each([
    ["node16", ["esm-host.mts", "import-host.cts"]],
    ["node18", ["esm-host.mts", "import-host.cts"]],
    ["node20", ["esm-host.mts", "import-host.cts", "require-host.cts"]],
    ["nodenext", ["esm-host.mts", "import-host.cts", "require-host.cts"]],
    ["esnext", ["--moduleResolution", "bundler", "esm-host.mts"]],
  ])(
    "compiles with module %s",
    async (module, rest) => {
      const options = ["--ignoreConfig", "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022"];
      const { code, output } = await run([compiler, ...options, "--types", "node", "--module", module, ...rest]);
      expect({ code, output }).toEqual({ code: 0, output: "" });
    },
    60_000,
  );

  it("cannot require the packages with module node16, as the guide says", async () => {
    const options = ["--ignoreConfig", "--noEmit", "--target", "es2022", "--types", "node", "--module", "node16"];
    const { code, output } = await run([compiler, ...options, "require-host.cts"]);
    expect({ code, output }).toEqual({ code: expect.any(Number), output: expect.stringContaining("error TS1471") });
  }, 60_000);
});

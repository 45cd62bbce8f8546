import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, type Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCreate } from "./run-create.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "create-tollgate-"));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const full = ["--framework", "hono", "--language", "js", "--store", "memory", "--provider", "offline"];
const enter = "\r";
const down = "\u001B[B";
const controlC = "\u0003";

/** Collects the text that is written to a stream. */
function collector() {
  const texts: string[] = [];
  const stream = new PassThrough();
  stream.on("data", (chunk: Buffer) => texts.push(chunk.toString()));
  return { stream, text: () => texts.join("") };
}

async function create(parameters: readonly string[], isInteractive = false, answers: readonly string[] = []) {
  const [input, output, errors] = [new PassThrough(), collector(), collector()];
  answerQuestions(output.stream, input, answers);
  const terminal = { input, output: output.stream, errors: errors.stream, cwd, isInteractive };
  const code = await runCreate(parameters, terminal);
  return { code, output: output.text(), error: errors.text() };
}

const questions = ["In which folder?", "Which framework?", "Which language?", "Where should", "What should answer"];

/** Answers each question once, when it appears. */
function answerQuestions(output: PassThrough, input: Writable, answers: readonly string[]): void {
  const left = [...answers];
  const open = new Set(questions);
  output.on("data", (chunk: Buffer) => {
    const asked = [...open].find((question) => chunk.toString().includes(question));
    if (asked === undefined) return;
    open.delete(asked);
    setImmediate(() => input.write(left.shift() ?? enter));
  });
}

const manifest = (folder: string) => JSON.parse(readFileSync(join(cwd, folder, "package.json"), "utf8"));

describe("create-tollgate", () => {
  it("writes what the flags choose, and says what to do next", async () => {
    const { code, output } = await create(["my-app", ...full]);
    const page = "https://github.com/tollgate/tollgate/blob/main/docs/guides/installation.md";
    const steps = "Created my-app. Next:\n\n  cd my-app\n  npm install\n  npm start\n";
    expect([code, output]).toEqual([0, `${steps}\nIf npm does not find a package of Tollgate, see ${page}\n`]);
    expect(manifest("my-app")).toMatchObject({ name: "my-app", dependencies: { hono: expect.any(String) } });
  });

  it("takes defaults with --yes, and the flags that are given", async () => {
    expect(await create(["--yes", "--provider", "anthropic"])).toMatchObject({
      code: 0,
      output: expect.stringContaining("set ANTHROPIC_API_KEY in .env"),
    });
    const expected = ["@tollgate/anthropic", "@tollgate/express", "@tollgate/sqlite"];
    expect(Object.keys(manifest("my-gateway").dependencies)).toEqual(expect.arrayContaining(expected));
  });

  it("writes a new password for the dashboard, which only the owner may read", async () => {
    await create(["one", ...full]);
    await create(["two", ...full]);
    const [one, two] = ["one", "two"].map((name) => readFileSync(join(cwd, name, ".env"), "utf8"));
    expect(one).toMatch(/^DASHBOARD_PASSWORD=[\w-]{22}$/m);
    expect(one).not.toBe(two);
    expect(statSync(join(cwd, "one/.env")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(cwd, "one/.env.example"), "utf8")).toMatch(/^DASHBOARD_PASSWORD=$/m);
  });

  it("writes to an empty folder, and to the working directory", async () => {
    mkdirSync(join(cwd, "empty"));
    expect((await create(["empty", ...full])).code).toBe(0);
    cwd = join(cwd, "here");
    mkdirSync(cwd);
    expect((await create([".", ...full])).output).toContain("Created the app in this folder. Next:\n\n  npm install");
    expect(manifest(".").name).toBe("here");
    cwd = join(cwd, "..");
  });

  it.each([
    ["a folder that is not empty", ["full", ...full], "is not empty. Choose another name, or empty the folder."],
    ["a file", ["full/file", ...full], "is not a folder. Choose another name, or move it away."],
    ["a name that npm refuses", ["My App", ...full], "cannot be the name of a package. Use lower-case letters"],
    [
      "no flags without a terminal",
      [],
      "There is no terminal to ask at. Add the name of a folder; --framework (express",
    ],
    ["an unknown option", ["app", "--framework", "koa"], '--framework is "koa". Choose one of express, fastify, hono'],
    [
      "an unknown flag",
      ["app", "--nope"],
      "Unknown option '--nope'. To list the flags, run npm create tollgate -- --help",
    ],
    [
      "flags that npm took",
      ["app", "express", "js"],
      'Name one folder, and put "--" between it and the flags: npm create',
    ],
  ])("refuses %s, says what to do, and writes nothing", async (_, parameters, message) => {
    mkdirSync(join(cwd, "full"));
    writeFileSync(join(cwd, "full/file"), "");
    expect(await create(parameters)).toEqual({ code: 1, output: "", error: expect.stringContaining(message) });
    expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(["full", "full/file"]);
  });

  it("prints help and version", async () => {
    expect((await create(["--help"])).output).toContain("--store      memory, sqlite, postgres");
    expect((await create(["--version"])).output).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });
});

describe("at a terminal, create-tollgate", () => {
  it("asks for what the flags do not give", async () => {
    const answers = [`asked${enter}`, `${down}${enter}`, `${down}${enter}`, enter];
    const { code, output } = await create(["--provider", "offline"], true, answers);
    expect(code).toBe(0);
    expect(output).not.toContain("What should answer");
    const { dependencies, scripts } = manifest("asked");
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(["@tollgate/fastify", "@tollgate/sqlite"]));
    expect(scripts.start).toContain("main.js");
  });

  it.each([0, 1, 2, 3, 4])("writes nothing after Ctrl-C at question %i", async (at) => {
    const answers = [...Array.from({ length: at }, () => enter), controlC];
    const { code, error } = await create([], true, answers);
    expect([code, error]).toEqual([130, "Nothing was written. To start again, run npm create tollgate.\n"]);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

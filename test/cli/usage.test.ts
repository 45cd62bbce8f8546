import { memoryBalanceStore, memoryKeyStore } from "@tollgate/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProgram } from "../../packages/cli/src/program.ts";
import { type CliUnderTest, openCli } from "./in-process.ts";

let cli: CliUnderTest;

beforeEach(() => {
  cli = openCli({ keys: memoryKeyStore(), balances: memoryBalanceStore() });
});
afterEach(() => cli.close());

type Command = ReturnType<typeof makeProgram>;

/** The paths of the commands that help shows. */
const pathsOf = (command: Command, path: readonly string[] = []): readonly (readonly string[])[] => [
  path,
  ...visibleCommands(command).flatMap((each) => pathsOf(each, [...path, each.name()])),
];

const visibleCommands = (command: Command) =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => command.commands.includes(each));

describe("--help", () => {
  const { stdout: out, stderr: err } = process;
  const paths = pathsOf(makeProgram({ out, err, cwd: "." }, async () => undefined));

  it("exists for every command", () => {
    expect(paths).toContainEqual(["keys", "create"]);
  });

  it.each(paths.map((path) => [path.join(" "), path] as const))(
    "of tollgate %s has an example",
    async (_name, path) => {
      const { code, out, err } = await cli.run([...path, "--help"]);
      expect([code, err]).toEqual([0, ""]);
      expect(out).toMatch(new RegExp(`\\nExamples?:\\n {2}\\$ tollgate ${path.join(" ")}`));
      expect(out).toContain("--json");
      for (const line of out.split("\n").filter((each) => !each.startsWith("  $ ")))
        expect(line.length).toBeLessThanOrEqual(80);
    },
  );
});

describe("invalid usage", () => {
  it.each([
    [
      "an unknown command",
      ["keys", "lst"],
      "Unknown command 'lst'. (Did you mean list?) Use --help for more information.\n",
    ],
    ["an unknown option", ["keys", "list", "--acount", "a"], "Unknown option '--acount'. (Did you mean --account?)"],
    ["a missing option", ["keys", "create", "--plan", "p"], "Required option '--account <account>' not specified."],
    ["a missing argument", ["balance", "credit", "acme"], "Missing required argument 'amount'."],
    ["one argument too many", ["ledger", "verify", "acme"], "Too many arguments for 'verify'."],
    ["a long value", ["balance", "show", `${"x".repeat(300)}`], `The account cannot be "${"x".repeat(40)}…": write`],
  ])("exits with 2 and a message for %s", async (_title, argv, words) => {
    const text = await cli.run(argv);
    expect(text).toEqual({ code: 2, out: "", err: expect.stringContaining(words) });
    const json = await cli.run([...argv, "--json"]);
    expect(json).toMatchObject({ code: 2, out: "" });
    const { error } = JSON.parse(json.err);
    expect([error.code, `${error.message}\n`]).toEqual(["usage", text.err]);
  });

  it.each([[[]], [["keys"]], [["balance"]], [["ledger"]]])(
    "exits with 2 and the help for %j without a subcommand",
    async (argv) => {
      const { code, out, err } = await cli.run(argv);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(/^Usage: tollgate(?:.|\n)*\nA command is missing\. Use --help for more information\.\n$/);
      expect(JSON.parse((await cli.run([...argv, "--json"])).err)).toMatchObject({ error: { code: "usage" } });
    },
  );
});

it("--json can come before or after the command", async () => {
  for (const argv of [
    ["--json", "balance", "show", "a"],
    ["balance", "--json", "show", "a"],
    ["balance", "show", "a", "--json"],
  ]) {
    expect(JSON.parse((await cli.run(argv)).out)).toMatchObject({ account: "a" });
  }
});

it("an account that begins like an option can be passed after --", async () => {
  expect((await cli.run(["balance", "show", "--json", "--", "--acme"])).out).toContain('"account":"--acme"');
});

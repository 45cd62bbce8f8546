import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { memoryBalanceStore, memoryKeyStore } from "@tollgate/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { withOverrides } from "../contract/failures.ts";
import { type CliUnderTest, openCli } from "./in-process.ts";

const clis: CliUnderTest[] = [];

const open = (...given: Parameters<typeof openCli>): CliUnderTest => {
  const cli = openCli(...given);
  clis.push(cli);
  return cli;
};

afterEach(() => {
  for (const cli of clis.splice(0)) cli.close();
});

/** Writes a config file with the given text, in which `stores` is a balance store with the account acme. */
const write = (cli: CliUnderTest, name: string, text: string): void => {
  const verbs = ["credit", "debit", "refund", "entries", "verify"].map((verb) => `${verb}() {}`).join(", ");
  const balance =
    "posted: 7_000_000_000n, held: 0n, available: 7_000_000_000n, expiring: [], totals: { credited: 7_000_000_000n, used: 0n }";
  const balances = `{ balance: () => ({ ${balance} }), ${verbs} }`;
  writeFileSync(join(cli.folder, name), `const stores = { balances: ${balances} };\n${text}\n`);
};

const show = ["balance", "show", "acme"];

describe("the config file", () => {
  it.each([
    ["exports stores", "export default stores;"],
    ["exports a promise", "export default Promise.resolve(stores);"],
    ["exports a function", "export default () => stores;"],
    ["exports an async function", "export default async () => stores;"],
  ])("%s", async (_title, text) => {
    const cli = open();
    write(cli, "tollgate.config.mjs", text);
    expect(await cli.run(show)).toMatchObject({ code: 0, out: expect.stringContaining("posted     7") });
  });

  it("is the one that --config names, from the working directory", async () => {
    const cli = open({ balances: memoryBalanceStore() });
    write(cli, "other.mjs", "export default stores;");
    expect((await cli.run([...show, "--config", "other.mjs"])).out).toContain("posted     7");
    expect((await cli.run(["--config", join(cli.folder, "other.mjs"), ...show])).out).toContain("posted     7");
    expect((await cli.run(show)).out).toContain("posted     0");
  });

  it("is named in the error when it does not exist", async () => {
    const cli = open();
    const { code, err } = await cli.run(show);
    expect([code, err]).toEqual([
      2,
      `There is no config file: ${cli.folder} has none of tollgate.config.mjs, tollgate.config.js, tollgate.config.ts. ` +
        "Create one that exports your stores by default, or name one with --config <file>.\n",
    ]);
    const named = await cli.run([...show, "--config", "none.mjs", "--json"]);
    expect(named.code).toBe(2);
    expect(JSON.parse(named.err).error).toEqual({
      code: "config",
      message: expect.stringContaining(join(cli.folder, "none.mjs")),
    });
  });

  it.each([
    ["nothing", "", "has no default export with stores. Write: export default { keys, balances };"],
    ["a number", "export default 7;", "has no default export with stores"],
    ["null", "export default null;", "has no default export with stores"],
    ["a function without a result", "export default () => {};", "has no default export with stores"],
    [
      "no store",
      "export default { keys: {} };",
      "Its `keys` does not have the methods create, get, list, update, revoke, rotate.",
    ],
    [
      "an incomplete store",
      "delete stores.balances.verify; export default stores;",
      "Its `balances` does not have the methods verify.",
    ],
    ["invalid plans", "export default { plans: [{ id: 'p' }] };", "Its `plans` is not a list of ids."],
    ["an invalid close", "export default { close: true };", "Its `close` is not a function."],
    [
      "an error of two lines",
      'throw new Error("cannot start:\\n- one");',
      "cannot be loaded: cannot start:\n- one. Fix",
    ],
    ["an error", 'throw new Error("no DATABASE_URL");', "cannot be loaded: no DATABASE_URL. Fix the file"],
    ["an error in its function", 'export default () => { throw new Error("x"); };', "cannot be loaded: x."],
    ["invalid JavaScript", "export default {", "cannot be loaded: "],
  ])("exits with 2 and a solution when it has %s", async (_title, text, words) => {
    const cli = open();
    write(cli, "tollgate.config.mjs", text);
    const { code, out, err } = await cli.run(show);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(join(cli.folder, "tollgate.config.mjs"));
    expect(err).toContain(words);
  });

  it("does not show the password of a connection that failed", async () => {
    const cli = open();
    write(cli, "tollgate.config.mjs", 'throw new Error("cannot reach postgres://admin:hunter2@db.example/main");');
    const { err } = await cli.run(show);
    expect(err).toContain("postgres://(hidden)@db.example/main");
  });

  it("is not run for invalid usage", async () => {
    const cli = open();
    write(cli, "tollgate.config.mjs", 'throw new Error("it was run");');
    for (const argv of [["balance", "credit", "acme", "-1"], ["balance"], ["--help"]]) {
      expect((await cli.run(argv)).err).not.toContain("it was run");
    }
  });
});

describe("a store that is absent", () => {
  it.each([
    ["keys", ["keys", "list"], { balances: memoryBalanceStore() }],
    ["balances", ["ledger", "verify"], { keys: memoryKeyStore() }],
  ])("is named in the error: `%s`", async (name, argv, records) => {
    const cli = open(records);
    const { code, err } = await cli.run(argv);
    expect([code, err]).toEqual([
      2,
      `This command needs \`${name}\`. Export it from ${cli.folder}/tollgate.config.mjs: export default { ${name} };\n`,
    ]);
  });
});

describe("close", () => {
  const failing = withOverrides(memoryBalanceStore(), {
    balance: () => {
      throw new AggregateError([new Error("connect ECONNREFUSED 127.0.0.1:5432")]);
    },
  });

  it.each([
    ["after a command", { balances: memoryBalanceStore() }, 0, ""],
    ["after a failure", { balances: failing }, 1, "The store failed: connect ECONNREFUSED 127.0.0.1:5432. Check that"],
    ["when a store is absent", {}, 2, "This command needs `balances`"],
  ])("is called once %s", async (_title, records, expected, words) => {
    const close = vi.fn();
    const { code, err } = await open({ ...records, close }).run(show);
    expect([code, err]).toEqual([expected, expect.stringContaining(words)]);
    expect(close).toHaveBeenCalledOnce();
  });

  it("can fail without changing the result", async () => {
    const close = () => Promise.reject(new Error("pool gone"));
    const cli = open({ balances: memoryBalanceStore(), close });
    const { code, out, err } = await cli.run([...show, "--json"]);
    expect([code, JSON.parse(out).account]).toEqual([0, "acme"]);
    expect(JSON.parse(err)).toEqual({
      warning: { message: expect.stringContaining("closing the stores failed: pool gone.") },
    });
  });

  it("has a timeout of 5 s", async () => {
    vi.useFakeTimers();
    try {
      const ended = open({ balances: memoryBalanceStore(), close: () => new Promise(() => undefined) }).run(show);
      await expect.poll(() => vi.getTimerCount()).toBe(1);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await ended).toMatchObject({ code: 0, err: expect.stringContaining("it takes longer than 5 s") });
    } finally {
      vi.useRealTimers();
    }
  });
});

it("a value that the store rejects is invalid usage", async () => {
  const balances = withOverrides(memoryBalanceStore(), {
    credit: () => {
      throw new RangeError("An account has at most 5 characters.");
    },
  });
  const { code, err } = await open({ balances }).run(["balance", "credit", "acme-17", "5"]);
  expect([code, err]).toEqual([2, "The store rejected the value: An account has at most 5 characters.\n"]);
});

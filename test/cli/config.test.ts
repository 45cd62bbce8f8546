import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { memoryBalanceStore, memoryKeyStore } from "@tollgate/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { withOverrides } from "../contract/failures.ts";
import { type Desk, openDesk } from "./in-process.ts";

const desks: Desk[] = [];

const open = (...given: Parameters<typeof openDesk>): Desk => {
  const desk = openDesk(...given);
  desks.push(desk);
  return desk;
};

afterEach(() => {
  for (const desk of desks.splice(0)) desk.leave();
});

/** A config file of its own text; `stores` in it is a store of balances that knows acme. */
const write = (desk: Desk, name: string, text: string): void => {
  const verbs = ["credit", "debit", "entries", "verify"].map((verb) => `${verb}() {}`).join(", ");
  const balances = `{ balance: () => ({ posted: 7_000_000_000n, held: 0n, available: 7_000_000_000n }), ${verbs} }`;
  writeFileSync(join(desk.folder, name), `const stores = { balances: ${balances} };\n${text}\n`);
};

const show = ["balance", "show", "acme"];

describe("the config file", () => {
  it.each([
    ["exports stores", "export default stores;"],
    ["exports a promise", "export default Promise.resolve(stores);"],
    ["exports a function", "export default () => stores;"],
    ["exports a function that takes its time", "export default async () => stores;"],
  ])("%s", async (_title, text) => {
    const desk = open();
    write(desk, "tollgate.config.mjs", text);
    expect(await desk.run(show)).toMatchObject({ code: 0, out: expect.stringContaining("posted     7") });
  });

  it("is the one that --config names, from the working directory", async () => {
    const desk = open({ balances: memoryBalanceStore() });
    write(desk, "other.mjs", "export default stores;");
    expect((await desk.run([...show, "--config", "other.mjs"])).out).toContain("posted     7");
    expect((await desk.run(["--config", join(desk.folder, "other.mjs"), ...show])).out).toContain("posted     7");
    expect((await desk.run(show)).out).toContain("posted     0");
  });

  it("says where it was looked for", async () => {
    const desk = open();
    const { code, err } = await desk.run(show);
    expect([code, err]).toEqual([
      2,
      `There is no config file: tollgate.config.mjs, tollgate.config.js, tollgate.config.ts were looked for in ${desk.folder}. ` +
        "Write one that exports your stores by default, or name one with --config <file>.\n",
    ]);
    const named = await desk.run([...show, "--config", "none.mjs", "--json"]);
    expect(named.code).toBe(2);
    expect(JSON.parse(named.err).error).toEqual({
      code: "config",
      message: expect.stringContaining(join(desk.folder, "none.mjs")),
    });
  });

  it.each([
    ["nothing", "", "exports no stores by default. Write: export default { keys, balances };"],
    ["a number", "export default 7;", "exports no stores by default"],
    ["null", "export default null;", "exports no stores by default"],
    ["a function of nothing", "export default () => {};", "exports no stores by default"],
    ["what is no store", "export default { keys: {} };", "Its `keys` lacks create, list, revoke, rotate."],
    ["half a store", "delete stores.balances.verify; export default stores;", "Its `balances` lacks verify."],
    ["plans that are none", "export default { plans: [{ id: 'p' }] };", "Its `plans` is no list of ids."],
    ["a close that is none", "export default { close: true };", "Its `close` is no function."],
    [
      "a fault of two lines",
      'throw new Error("cannot start:\\n- one");',
      "cannot be loaded: cannot start:\n- one. Correct",
    ],
    ["a fault", 'throw new Error("no DATABASE_URL");', "cannot be loaded: no DATABASE_URL. Correct the file"],
    ["a fault in its function", 'export default () => { throw new Error("x"); };', "cannot be loaded: x."],
    ["no JavaScript", "export default {", "cannot be loaded: "],
  ])("gives 2 and the cure when it has %s", async (_title, text, words) => {
    const desk = open();
    write(desk, "tollgate.config.mjs", text);
    const { code, out, err } = await desk.run(show);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(join(desk.folder, "tollgate.config.mjs"));
    expect(err).toContain(words);
  });

  it("does not show the password of a connection that failed", async () => {
    const desk = open();
    write(desk, "tollgate.config.mjs", 'throw new Error("cannot reach postgres://admin:hunter2@db.example/main");');
    const { err } = await desk.run(show);
    expect(err).toContain("postgres://(hidden)@db.example/main");
  });

  it("is not run for wrong usage", async () => {
    const desk = open();
    write(desk, "tollgate.config.mjs", 'throw new Error("it was run");');
    for (const argv of [["balance", "credit", "acme", "-1"], ["balance"], ["--help"]]) {
      expect((await desk.run(argv)).err).not.toContain("it was run");
    }
  });
});

describe("a store that is absent", () => {
  it.each([
    ["keys", ["keys", "list"], { balances: memoryBalanceStore() }],
    ["balances", ["ledger", "verify"], { keys: memoryKeyStore() }],
  ])("`%s` is asked for by name", async (name, argv, records) => {
    const desk = open(records);
    const { code, err } = await desk.run(argv);
    expect([code, err]).toEqual([
      2,
      `This command needs \`${name}\`; export it from ${desk.folder}/tollgate.config.mjs: export default { ${name} };\n`,
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

  it("may fail without undoing what was done", async () => {
    const close = () => Promise.reject(new Error("pool gone"));
    const desk = open({ balances: memoryBalanceStore(), close });
    const { code, out, err } = await desk.run([...show, "--json"]);
    expect([code, JSON.parse(out).account]).toEqual([0, "acme"]);
    expect(JSON.parse(err)).toEqual({
      warning: { message: expect.stringContaining("closing the stores failed: pool gone.") },
    });
  });

  it("is waited for no longer than 5 s", async () => {
    vi.useFakeTimers();
    try {
      const ended = open({ balances: memoryBalanceStore(), close: () => new Promise(() => undefined) }).run(show);
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await ended).toMatchObject({ code: 0, err: expect.stringContaining("it takes longer than 5 s") });
    } finally {
      vi.useRealTimers();
    }
  });
});

it("a value that a store can never take is wrong usage", async () => {
  const balances = withOverrides(memoryBalanceStore(), {
    credit: () => {
      throw new RangeError("An account has at most 5 characters.");
    },
  });
  const { code, err } = await open({ balances }).run(["balance", "credit", "acme-17", "5"]);
  expect([code, err]).toEqual([2, "The store refused it: An account has at most 5 characters.\n"]);
});

import { memoryBalanceStore, memoryKeyStore, parseAmount } from "@tollgate/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliUnderTest, openCli } from "./in-process.ts";

let cli: CliUnderTest;

beforeEach(() => {
  const balances = memoryBalanceStore();
  for (const account of ["acme", "acme-2", "globex"]) {
    balances.credit({ id: `top-up of ${account}`, account, amount: parseAmount("5"), reason: "top-up" });
  }
  cli = openCli({ balances, accounts: balances });
});
afterEach(() => cli.close());

const balance = { posted: "5", held: "0", available: "5" };
const limit = { limit: "100", window: "day", timezone: "Europe/Berlin" };

async function setLimit(): Promise<string> {
  return (await cli.run(["spend", "set", "acme", "100", "--window", "day", "--timezone", "Europe/Berlin", "--json"]))
    .out;
}

describe("accounts list", () => {
  it("writes the accounts with a prefix, each with its balance and its own limit", async () => {
    await setLimit();
    const { out } = await cli.run(["accounts", "list", "--prefix", "acme", "--json"]);
    expect(JSON.parse(out)).toEqual({
      accounts: [
        { account: "acme", ...balance, spend: limit },
        { account: "acme-2", ...balance },
      ],
    });
  });

  it("writes the accounts of plans without billing, which have only keys", async () => {
    const [balances, keys] = [memoryBalanceStore(), memoryKeyStore()];
    await keys.create({ account: "globex", plan: "subscription" });
    balances.credit({ id: "top-up", account: "acme", amount: parseAmount("5"), reason: "top-up" });
    const both = openCli({ balances, keys });
    expect(JSON.parse((await both.run(["accounts", "list", "--json"])).out)).toEqual({
      accounts: [
        { account: "acme", ...balance },
        { account: "globex", plans: ["subscription"], posted: "0", held: "0", available: "0" },
      ],
    });
    expect((await both.run(["accounts", "list"])).out).toContain("globex   subscription");
    both.close();
  });

  it("prints them as a table", async () => {
    await setLimit();
    expect((await cli.run(["accounts", "list", "--prefix", "acme"], { columns: 80 })).out).toBe(
      [
        "ACCOUNT  AVAILABLE  HELD  SPEND LIMIT",
        "acme             5     0  100 per day (Europe/Berlin)",
        "acme-2           5     0",
        "",
      ].join("\n"),
    );
  });
});

describe("spend", () => {
  it("sets the limit of an account, shows it with what was spent, and removes it", async () => {
    expect(JSON.parse(await setLimit())).toEqual({ account: "acme", spend: limit });
    const shown = JSON.parse((await cli.run(["spend", "show", "acme", "--json"])).out);
    expect(shown).toEqual({ account: "acme", spend: { ...limit, spent: "0", resetsAt: expect.stringMatching(/Z$/) } });
    expect(JSON.parse((await cli.run(["spend", "clear", "acme", "--json"])).out)).toEqual({ account: "acme" });
    expect((await cli.run(["spend", "show", "acme"])).out).toBe("acme has no limit of its own.\n");
  });

  it.each([
    [["spend", "set", "acme", "0"], "greater than zero"],
    [["spend", "set", "acme", "1", "--window", "year"], "day, week, month or total"],
    [["spend", "set", "acme", "1", "--timezone", "Mars"], "Europe/Berlin"],
  ])("rejects %j and says what is possible", async (args, cure) => {
    const { code, err } = await cli.run(args);
    expect([code, err]).toEqual([2, expect.stringContaining(cure)]);
  });
});

import { memoryBalanceStore, memoryKeyStore, memoryUsageStore, parseAmount } from "@tollgate/core";
import { memoryPaymentStore } from "@tollgate/payments";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acmePay } from "../../examples/custom-provider/src/acme-pay.ts";
import { usageRow } from "../management/usage-row.ts";
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

describe("accounts freeze and accounts thaw", () => {
  it("freeze an account until it is thawed, and show it in the list", async () => {
    const frozen = await cli.run(["accounts", "freeze", "acme", "--reason", "chargeback"]);
    expect(frozen).toMatchObject({ code: 0, out: "acme is frozen.\n" });
    expect((await cli.run(["accounts", "list", "--prefix", "acme"], { columns: 80 })).out).toMatch(
      /^ACCOUNT {2}AVAILABLE {2}HELD {2}FROZEN SINCE +SPEND LIMIT\nacme +5 +0 {2}\S{20}\nacme-2 +5 +0\n$/,
    );
    const thawed = await cli.run(["accounts", "thaw", "acme", "--reason", "won", "--json"]);
    expect(JSON.parse(thawed.out)).toEqual({ account: "acme", ...balance });
  });

  it("exit with 1 for an unknown account, and with 2 without a reason", async () => {
    const unknown = await cli.run(["accounts", "freeze", "acmee", "--reason", "x"]);
    const message = 'There is no account "acmee". Run `tollgate accounts list`.\n';
    expect(unknown).toEqual({ code: 1, out: "", err: message });
    expect(await cli.run(["accounts", "freeze", "acme"])).toMatchObject({ code: 2 });
  });
});

describe("accounts export and accounts forget", () => {
  const person = "ann@host.example";
  const open = async () => {
    const [keys, balances, usage] = [memoryKeyStore(), memoryBalanceStore(), memoryUsageStore()];
    const { key } = await keys.create({ account: "acme", plan: "prepaid", name: person });
    await usage.record([{ ...usageRow({ keyId: key.id, endUser: person }) }]);
    const store = memoryPaymentStore({ balances });
    const method = { customer: person, method: "card" };
    store.setTopUp({ id: "top-up", account: "acme", product: "small", below: 5n, maxPerDay: 1, method });
    const options = { apiKey: "key", signingSecret: "0123456789abcdef", shop: "acme", live: false };
    const provider = acmePay({ baseURL: "https://acme-pay.example", ...options });
    return openCli({ keys, balances, usage, payments: { store, provider } });
  };

  it("write all that is kept, and erase what the customer wrote", async () => {
    const one = await open();
    const exported = await one.run(["accounts", "export", "acme"]);
    const types = (out: string) => out.match(/^\{"type":"\w+"/gm);
    const expected = ["account", "key", "request", "top_up"].map((type) => `{"type":"${type}"`);
    expect(types(exported.out)).toEqual(expected);
    const forgotten = await one.run(["accounts", "forget", "acme", "--reason", "request", "--confirm", "acme"]);
    expect(forgotten).toMatchObject({ code: 0, err: "" });
    expect(forgotten.out).toMatch(
      /^acme is forgotten\.\n\nkeys +1\nsessions +no such store in the config file\n.*requests +1\ncharges +0\npayments +1\n$/s,
    );
    expect((await one.run(["accounts", "export", "acme"])).out).not.toContain(person);
    one.close();
  });

  it("erase nothing without a confirmation, on a terminal and in a script", async () => {
    const one = await open();
    const line = ["accounts", "forget", "acme", "--reason", "request"];
    const refusal = { code: 2, out: "", err: expect.stringContaining("Nothing was erased.") };
    expect(await one.run(line)).toEqual(refusal);
    expect(await one.run([...line, "--confirm", "acmee"])).toEqual(refusal);
    expect(await one.run(line, { confirm: async () => false })).toEqual(refusal);
    expect((await one.run(["accounts", "export", "acme"])).out).toContain(person);
    expect(await one.run(line, { confirm: async () => true })).toMatchObject({ code: 0 });
    one.close();
  });

  it("exit with 1 for an unknown account", async () => {
    for (const line of [
      ["accounts", "export", "acmee"],
      ["accounts", "forget", "acmee", "--reason", "x", "--confirm", "acmee"],
    ])
      expect(await cli.run(line)).toMatchObject({ code: 1, err: expect.stringContaining('no account "acmee"') });
  });
});

describe("spend", () => {
  it("sets a limit of models, and shows them", async () => {
    const set = await cli.run(["spend", "set", "acme", "100", "--models", "gpt-5*, large"]);
    expect(set.out).toBe("acme may spend 100 per month (UTC) for gpt-5*, large.\n");
    expect(JSON.parse((await cli.run(["spend", "show", "acme", "--json"])).out)).toMatchObject({
      spend: { models: ["gpt-5*", "large"], spent: "0" },
    });
  });

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

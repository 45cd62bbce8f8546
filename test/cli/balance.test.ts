import { memoryBalanceStore } from "@tollgate/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { plainHold } from "../../packages/core/test-support/receipts.ts";
import { withOverrides } from "../contract/failures.ts";
import { type CliUnderTest, openCli } from "./in-process.ts";

let balances: ReturnType<typeof memoryBalanceStore>;
let cli: CliUnderTest;

beforeEach(() => {
  balances = memoryBalanceStore();
  cli = openCli({ balances });
});
afterEach(() => cli.close());

const entries = () => balances.entries({ account: "acme", limit: 100 }).entries;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

describe("balance show", () => {
  it("shows the posted, held and available amounts", async () => {
    balances.credit({ id: "1", account: "acme", amount: 12_500_000_000n, reason: "top-up" });
    balances.hold({ id: "2", account: "acme", keyId: "k", amount: 1n, leaseMs: 60_000, ...plainHold });
    const amounts = { posted: "12.5", held: "0.000000001", available: "12.499999999" };
    const shape = { account: "acme", ...amounts, expiring: [], totals: { credited: "12.5", used: "0" } };
    expect(JSON.parse((await cli.run(["balance", "show", "acme", "--json"])).out)).toEqual(shape);
    expect((await cli.run(["balance", "show", "acme"])).out).toBe(
      "account    acme\nposted     12.5\nheld       0.000000001\navailable  12.499999999\ncredited   12.5\nused       0\n",
    );
  });

  it("shows what expires, and that the account is frozen", async () => {
    const expiresAt = new Date("2099-01-01T00:00:00Z");
    balances.credit({ id: "1", account: "acme", amount: "5", reason: "welcome", kind: "granted", expiresAt });
    balances.freeze("acme", "chargeback");
    expect((await cli.run(["balance", "show", "acme"])).out).toMatch(
      /expires +5 on 2099-01-01T00:00:00Z\nfrozen +since \S+Z: chargeback\n$/,
    );
    expect(JSON.parse((await cli.run(["balance", "show", "acme", "--json"])).out)).toMatchObject({
      expiring: [{ amount: "5", expiresAt: expiresAt.toISOString() }],
      frozen: { reason: "chargeback" },
    });
  });

  it("shows a balance of 0 for an unknown account", async () => {
    const { out } = await cli.run(["balance", "show", "nobody", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ account: "nobody", posted: "0", held: "0", available: "0" });
  });
});

describe("balance credit and balance debit", () => {
  it("post an amount with a reason, and show the generated id", async () => {
    const credit = await cli.run(["balance", "credit", "acme", "12.50", "--reason", "invoice 17"]);
    expect(credit).toMatchObject({ code: 0, err: "" });
    expect(credit.out).toMatch(/^Credited 12\.5 to acme\.\n\nid +[-0-9a-f]{36}\nreason +invoice 17\nposted +12\.5\n/);
    const debit = await cli.run(["balance", "debit", "acme", "13", "--json"]);
    const [first, second] = entries();
    expect(JSON.parse(debit.out)).toEqual({
      outcome: "posted",
      kind: "debit",
      id: second?.reference,
      account: "acme",
      amount: "13",
      reason: "by the command line",
      balance: { posted: "-0.5", held: "0", available: "-0.5" },
    });
    expect(first).toMatchObject({ kind: "credit", amount: 12_500_000_000n, reason: "invoice 17" });
    expect(credit.out).toContain(first?.reference);
    expect(second).toMatchObject({ kind: "debit", amount: -13_000_000_000n, reference: expect.stringMatching(uuid) });
  });

  it("post money that is granted and expires, and take paid money alone", async () => {
    const grant = ["balance", "credit", "acme", "5", "--kind", "granted", "--expires-at", "2099-01-01"];
    expect((await cli.run([...grant, "--reason", "welcome"])).out).toMatch(
      /\nreason +welcome\nmoney +granted\nexpires +2099-01-01T00:00:00.000Z\n/,
    );
    await cli.run(["balance", "credit", "acme", "2"]);
    const debit = await cli.run(["balance", "debit", "acme", "3", "--from", "paid", "--json"]);
    expect(JSON.parse(debit.out)).toMatchObject({ amount: "2", from: "paid", balance: { posted: "5" } });
    expect(entries()[0]).toMatchObject({ lots: [{ kind: "granted", expiresAt: new Date("2099-01-01T00:00:00Z") }] });
  });

  it.each([
    [["--kind", "gift"], "paid or granted"],
    [["--expires-at", "2020-01-01"], "a date in the future"],
  ])("reject %j", async (options, cure) => {
    const { code, err } = await cli.run(["balance", "credit", "acme", "5", ...options]);
    expect([code, err]).toEqual([2, expect.stringContaining(cure)]);
  });

  it("ask on a terminal whether to create a new account", async () => {
    const asked: string[] = [];
    const answering = (yes: boolean) => ({ confirm: async (question: string) => asked.push(question) > 0 && yes });
    const refused = await cli.run(["balance", "credit", "acmee", "5"], answering(false));
    expect(refused).toMatchObject({ code: 1, out: "", err: 'There is no account "acmee". Nothing was posted.\n' });
    expect(asked).toEqual(["acmee is a new account. Create it with this credit?"]);
    const created = await cli.run(["balance", "credit", "acme", "5"], answering(true));
    expect(created.out).toContain("\nacme is a new account.\n");
    await cli.run(["balance", "credit", "acme", "5"], answering(false));
    expect([asked.length, entries().length]).toEqual([2, 2]);
  });

  it("say of a new account that it is one where nobody can answer", async () => {
    expect(JSON.parse((await cli.run(["balance", "credit", "acme", "5", "--json"])).out)).toMatchObject({
      newAccount: true,
    });
    expect(JSON.parse((await cli.run(["balance", "credit", "acme", "5", "--json"])).out)).not.toHaveProperty(
      "newAccount",
    );
  });

  it("take effect once for one --id", async () => {
    const line = ["balance", "credit", "acme", "5", "--id", "invoice-17"];
    const first = await cli.run(line);
    const repeated = await cli.run(line);
    expect([first.code, repeated.code, entries().length]).toEqual([0, 0, 1]);
    expect(repeated.out).toContain(
      "Credited 5 to acme by an earlier command with the same id; nothing was posted now.",
    );
    expect(JSON.parse((await cli.run([...line, "--json"])).out)).toMatchObject({ outcome: "repeated" });
  });

  it.each([
    ["another amount", ["balance", "credit", "acme", "6", "--id", "invoice-17"]],
    ["another account", ["balance", "credit", "other", "5", "--id", "invoice-17"]],
    ["the other direction", ["balance", "debit", "acme", "5", "--id", "invoice-17"]],
  ])("exit with 1 for an --id that is repeated with %s", async (_title, line) => {
    await cli.run(["balance", "credit", "acme", "5", "--id", "invoice-17"]);
    const { code, out, err } = await cli.run([...line, "--json"]);
    expect([code, out]).toEqual([1, ""]);
    expect(JSON.parse(err)).toMatchObject({ error: { code: "conflict", id: "invoice-17" } });
    expect(entries()).toHaveLength(1);
  });

  it.each([
    "0",
    "0.000",
    "-5",
    "+5",
    "1e3",
    "1,000",
    "12.5 ",
    "",
    "abc",
    "0.0000000001",
    "9223372037",
    "NaN",
    "٣",
    "0x10",
  ])("reject the amount %j before they call a store", async (amount) => {
    for (const verb of ["credit", "debit"]) {
      const { code, out, err } = await cli.run(["balance", verb, "acme", "--", amount]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(/^The amount cannot be ".*": .*\.\n$/);
    }
    expect(entries()).toEqual([]);
  });

  it("accept the largest amount that a database can store", async () => {
    await cli.run(["balance", "credit", "acme", "9223372036.854775807"]);
    expect(balances.balance("acme").posted).toBe(2n ** 63n - 1n);
  });

  it("name the id with which to repeat a command that failed in the store", async () => {
    const failing = withOverrides(balances, {
      credit: () => {
        throw new Error("connection lost to postgres://admin:hunter2@db.example/main");
      },
    });
    const other = openCli({ balances: failing });
    const [text, json] = [
      await other.run(["balance", "credit", "acme", "5"]),
      await other.run(["balance", "credit", "acme", "5", "--json"]),
    ];
    other.close();
    expect(text.code).toBe(1);
    expect(text.err).toMatch(/^The store failed: connection lost .* Repeat the command with --id [-0-9a-f]{36}: it/);
    expect(text.err).not.toContain("hunter2");
    expect(JSON.parse(json.err).error).toMatchObject({ code: "store_failed", id: expect.stringMatching(uuid) });
  });
});

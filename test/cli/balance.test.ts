import { memoryBalanceStore } from "@tollgate/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withOverrides } from "../contract/failures.ts";
import { type Desk, openDesk } from "./in-process.ts";

let balances: ReturnType<typeof memoryBalanceStore>;
let desk: Desk;

beforeEach(() => {
  balances = memoryBalanceStore();
  desk = openDesk({ balances });
});
afterEach(() => desk.leave());

const entries = () => balances.entries({ account: "acme", limit: 100 }).entries;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

describe("balance show", () => {
  it("tells what is posted, held and available", async () => {
    balances.credit({ id: "1", account: "acme", amount: 12_500_000_000n, reason: "top-up" });
    balances.hold({ id: "2", account: "acme", keyId: "k", amount: 1n, leaseMs: 60_000, terms: [] });
    const shape = { account: "acme", posted: "12.5", held: "0.000000001", available: "12.499999999" };
    expect(JSON.parse((await desk.run(["balance", "show", "acme", "--json"])).out)).toEqual(shape);
    expect((await desk.run(["balance", "show", "acme"])).out).toBe(
      "account    acme\nposted     12.5\nheld       0.000000001\navailable  12.499999999\n",
    );
  });

  it("tells that an account never seen has nothing", async () => {
    const { out } = await desk.run(["balance", "show", "nobody", "--json"]);
    expect(JSON.parse(out)).toEqual({ account: "nobody", posted: "0", held: "0", available: "0" });
  });
});

describe("balance credit and balance debit", () => {
  it("move money with a reason, and show the id that was made", async () => {
    const credit = await desk.run(["balance", "credit", "acme", "12.50", "--reason", "invoice 17"]);
    expect(credit).toMatchObject({ code: 0, err: "" });
    expect(credit.out).toMatch(/^Credited 12\.5 to acme\.\n\nid +[-0-9a-f]{36}\nreason +invoice 17\nposted +12\.5\n/);
    const debit = await desk.run(["balance", "debit", "acme", "13", "--json"]);
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

  it("take effect once for one --id", async () => {
    const line = ["balance", "credit", "acme", "5", "--id", "invoice-17"];
    const first = await desk.run(line);
    const again = await desk.run(line);
    expect([first.code, again.code, entries().length]).toEqual([0, 0, 1]);
    expect(again.out).toContain("Credited 5 to acme before, with the same id; nothing was done now.");
    expect(JSON.parse((await desk.run([...line, "--json"])).out)).toMatchObject({ outcome: "repeated" });
  });

  it.each([
    ["another amount", ["balance", "credit", "acme", "6", "--id", "invoice-17"]],
    ["another account", ["balance", "credit", "other", "5", "--id", "invoice-17"]],
    ["the other direction", ["balance", "debit", "acme", "5", "--id", "invoice-17"]],
  ])("give 1 for an --id that comes again with %s", async (_title, line) => {
    await desk.run(["balance", "credit", "acme", "5", "--id", "invoice-17"]);
    const { code, out, err } = await desk.run([...line, "--json"]);
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
  ])("refuse the amount %j before a store is asked", async (amount) => {
    for (const verb of ["credit", "debit"]) {
      const { code, out, err } = await desk.run(["balance", verb, "acme", "--", amount]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(/^The amount cannot be ".*": .*\.\n$/);
    }
    expect(entries()).toEqual([]);
  });

  it("take the largest amount that a database keeps", async () => {
    await desk.run(["balance", "credit", "acme", "9223372036.854775807"]);
    expect(balances.balance("acme").posted).toBe(2n ** 63n - 1n);
  });

  it("say with which id to repeat what a failing store may have done", async () => {
    const failing = withOverrides(balances, {
      credit: () => {
        throw new Error("connection lost to postgres://admin:hunter2@db.example/main");
      },
    });
    const other = openDesk({ balances: failing });
    const [text, json] = [
      await other.run(["balance", "credit", "acme", "5"]),
      await other.run(["balance", "credit", "acme", "5", "--json"]),
    ];
    other.leave();
    expect(text.code).toBe(1);
    expect(text.err).toMatch(/^The store failed: connection lost .* repeat the command with --id [-0-9a-f]{36}, which/);
    expect(text.err).not.toContain("hunter2");
    expect(JSON.parse(json.err).error).toMatchObject({ code: "store_failed", id: expect.stringMatching(uuid) });
  });
});

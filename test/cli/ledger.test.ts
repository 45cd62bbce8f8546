import { memoryBalanceStore } from "@tollgate/core";
import type { BalanceStore } from "@tollgate/core/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chargeReceipt, plainHold } from "../../packages/core/test-support/receipts.ts";
import { withOverrides } from "../contract/failures.ts";
import { type CliUnderTest, openCli } from "./in-process.ts";

let balances: ReturnType<typeof memoryBalanceStore>;
let cli: CliUnderTest;
const clis: CliUnderTest[] = [];

const openWith = (overrides: Partial<BalanceStore>): CliUnderTest => {
  const opened = openCli({ balances: withOverrides<BalanceStore>(balances, overrides) });
  clis.push(opened);
  return opened;
};

beforeEach(() => {
  balances = memoryBalanceStore();
  cli = openWith({});
});
afterEach(() => {
  for (const opened of clis.splice(0)) opened.close();
});

const credit = (id: string, reason = "top-up", amount = 1_500_000_000n) =>
  balances.credit({ id, account: "acme", amount, reason });

/** Parses CSV (RFC 4180). */
const readCsv = (text: string): string[][] =>
  text
    .split("\r\n")
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
      ),
    );

describe("ledger entries", () => {
  it("shows the last entries, newest first", async () => {
    for (let count = 1; count <= 2_345; count++) credit(`id-${count}`);
    const { out } = await cli.run(["ledger", "entries", "acme", "--last", "3", "--json"]);
    expect(JSON.parse(out)).toEqual({
      account: "acme",
      entries: [2_345, 2_344, 2_343].map((count) => ({
        sequence: String(count),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        account: "acme",
        kind: "credit",
        amount: "1.5",
        reference: `id-${count}`,
        reason: "top-up",
      })),
    });
    const text = await cli.run(["ledger", "entries", "acme"], { columns: 80 });
    expect(text.out.split("\n")).toHaveLength(1 + 20 + 1);
    expect(text.out).toMatch(
      /^SEQUENCE {2}AT +KIND +AMOUNT {2}REASON {2}REFERENCE\n {4}2345 {2}\S{20} {2}credit {5}1\.5 {2}/,
    );
  });

  it("shows the receipt of a charge as a line, and in full with --json", async () => {
    credit("top-up");
    balances.hold({ id: "h", account: "acme", keyId: "k", amount: 9n, leaseMs: 60_000, ...plainHold });
    balances.settle({ id: "h", account: "acme" }, 9n, chargeReceipt);
    expect((await cli.run(["ledger", "entries", "acme"])).out).toContain("model-1 by provider-1, 6 + 5 tokens");
    const { out } = await cli.run(["ledger", "entries", "acme", "--json"]);
    const prices = {
      input: "0.000000001",
      cachedInput: "0.000000002",
      cacheWrite5m: "0.000000003",
      cacheWrite1h: "0.000000004",
      output: "0.000000005",
      request: "0.000000006",
    };
    expect(JSON.parse(out).entries[0].receipt).toEqual({
      ...plainHold.receipt,
      keyId: "k",
      charge: { ...chargeReceipt, prices },
    });
  });

  it("shows what the host charged for, and money that expired", async () => {
    const expiresAt = new Date("2026-01-15T00:00:00Z");
    balances.credit({ id: "gift", account: "acme", amount: 5n, reason: "trial", kind: "granted", expiresAt });
    credit("top-up");
    const receipt = { requestId: "req-2", description: "Image, large", metadata: { order_id: "17" } };
    const hostHold = { ...plainHold, id: "h", account: "acme", keyId: undefined, amount: 9n, leaseMs: 60_000, receipt };
    balances.hold(hostHold);
    balances.settle({ id: "h", account: "acme" }, 9n, undefined);
    const { out: text } = await cli.run(["ledger", "entries", "acme"]);
    expect(text).toContain("Image, large");
    expect(text).toContain("granted money, expired on 2026-01-15");
    const { out } = await cli.run(["ledger", "entries", "acme", "--json"]);
    const [charge, , lapse] = JSON.parse(out).entries;
    expect(charge.receipt).toEqual(receipt);
    expect(lapse).toMatchObject({
      kind: "lapse",
      reference: "gift",
      lots: [{ lot: "gift", kind: "granted", amount: "0.000000005", expiresAt: expiresAt.toISOString() }],
    });
  });

  it("filters by kind and time, as the export does", async () => {
    credit("first");
    balances.debit({ id: "fee", account: "acme", amount: 1n, reason: "fee" });
    const references = async (...options: string[]) =>
      JSON.parse((await cli.run(["ledger", "entries", "acme", ...options, "--json"])).out).entries.map(
        ({ reference }: { readonly reference: string }) => reference,
      );
    expect(await references()).toEqual(["fee", "first"]);
    expect(await references("--kind", "credit")).toEqual(["first"]);
    expect(await references("--from", "1h")).toEqual(["fee", "first"]);
    expect(await references("--to", "1h")).toEqual([]);
    const exported = await cli.run(["ledger", "export", "--account", "acme", "--kind", "debit", "--json"]);
    expect(JSON.parse(exported.out)).toMatchObject({ reference: "fee" });
    const refused = await cli.run(["ledger", "entries", "acme", "--kind", "gift"]);
    expect(refused.err).toContain(
      '--kind cannot be "gift": write credit, debit, charge, expiry, late, refund or lapse.',
    );
  });

  it("reports that an account has none", async () => {
    expect((await cli.run(["ledger", "entries", "nobody"])).out).toBe("The account has no entries.\n");
  });
});

describe("ledger refund", () => {
  const charge = (): string => {
    credit("top-up");
    balances.hold({ id: "hold", account: "acme", keyId: "k", amount: 1_000_000_000n, leaseMs: 60_000, ...plainHold });
    balances.settle({ id: "hold", account: "acme" }, 1_000_000_000n, chargeReceipt);
    return "2";
  };

  it("refunds a part of a charge, once", async () => {
    const line = ["ledger", "refund", "acme", charge(), "--amount", "0.25", "--reason", "cut off"];
    expect((await cli.run(line)).out).toBe(
      "Refunded 0.25 of the charge 2 to acme.\n\nreason     cut off\nposted     0.75\nheld       0\navailable  0.75\n",
    );
    expect((await cli.run(line)).out).toContain(
      "Refunded 0.25 of the charge 2 to acme before; nothing was posted now.",
    );
    const other = await cli.run(["ledger", "refund", "acme", "2", "--json"]);
    expect(other.code).toBe(1);
    expect(JSON.parse(other.err)).toMatchObject({ error: { code: "conflict" } });
  });

  it("refunds all of a charge without an amount", async () => {
    const { out } = await cli.run(["ledger", "refund", "acme", charge(), "--json"]);
    expect(JSON.parse(out)).toEqual({
      outcome: "posted",
      account: "acme",
      sequence: "2",
      amount: "1",
      reason: "by the command line",
      balance: { posted: "1.5", held: "0", available: "1.5" },
    });
  });

  it.each([
    ["1", 1, "has no charge 1"],
    ["77", 1, "has no charge 77"],
    ["x", 2, "The sequence cannot be"],
  ])("refuses the sequence %s", async (sequence, code, message) => {
    charge();
    expect(await cli.run(["ledger", "refund", "acme", sequence])).toMatchObject({
      code,
      err: expect.stringContaining(message),
    });
  });
});

describe("ledger export", () => {
  it("writes CSV that a spreadsheet reads without evaluating formulas", async () => {
    credit("plain", "top-up");
    credit("=1+1", '@SUM(A1),"quoted"');
    balances.debit({ id: "-minus", account: "acme", amount: 500_000_000n, reason: "two\nlines" });
    const { code, out } = await cli.run(["ledger", "export", "--account", "acme"]);
    expect(code).toBe(0);
    const [head, ...rows] = readCsv(out);
    expect(head).toEqual(["sequence", "at", "account", "kind", "amount", "reference", "reason"]);
    expect(rows.map(([sequence, , ...rest]) => [sequence, ...rest])).toEqual([
      ["1", "acme", "credit", "1.5", "plain", "top-up"],
      ["2", "acme", "credit", "1.5", "'=1+1", `'@SUM(A1),"quoted"`],
      ["3", "acme", "debit", "-0.5", "'-minus", "two\nlines"],
    ]);
  });

  it("writes JSON lines with unchanged text", async () => {
    credit("=1+1", '@SUM(A1),"quoted"\n');
    const line = ["ledger", "export", "--account", "acme"];
    const { out } = await cli.run([...line, "--format", "jsonl"]);
    expect(out.split("\n")).toHaveLength(2);
    expect(JSON.parse(out)).toMatchObject({ reference: "=1+1", reason: '@SUM(A1),"quoted"\n', amount: "1.5" });
    expect((await cli.run([...line, "--json"])).out).toBe(out);
  });

  it("writes every entry of many pages, and can continue after an entry", async () => {
    for (let count = 1; count <= 3_210; count++) credit(`id-${count}`);
    const { out } = await cli.run(["ledger", "export", "--account", "acme", "--format", "jsonl"]);
    const references = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).reference);
    expect(references).toEqual(Array.from({ length: 3_210 }, (_, at) => `id-${at + 1}`));
    const rest = await cli.run(["ledger", "export", "--account", "acme", "--format", "jsonl", "--after", "3208"]);
    expect(
      rest.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).sequence),
    ).toEqual(["3209", "3210"]);
  });

  it("reports where to continue when the store fails midway", async () => {
    for (let count = 1; count <= 1_500; count++) credit(`id-${count}`);
    const failing = openWith({
      entries: (query) => {
        if (query.after !== undefined) throw new Error("disk gone");
        return balances.entries(query);
      },
    });
    const { code, out, err } = await failing.run(["ledger", "export", "--account", "acme", "--json"]);
    expect(code).toBe(1);
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).sequence)
        .at(-1),
    ).toBe("1000");
    expect(JSON.parse(err).error).toMatchObject({ code: "store_failed", after: "1000" });
  });

  it("exits with 130 and complete lines when it is interrupted, even while the store hangs", async () => {
    for (let count = 1; count <= 1_500; count++) credit(`id-${count}`);
    const interruption = new AbortController();
    const hanging = openWith({
      entries: (query) => {
        if (query.after === undefined) return balances.entries(query);
        interruption.abort();
        return new Promise(() => undefined);
      },
    });
    const line = ["ledger", "export", "--account", "acme"];
    const { code, out, err } = await hanging.run(line, { signal: interruption.signal });
    expect(code).toBe(130);
    expect(out.split("\r\n")).toHaveLength(1 + 1_000 + 1);
    expect(err).toBe("Interrupted. Continue with --after 1000.\n");
  });

  it.each([
    ["--format xml", ["--format", "xml"], '--format cannot be "xml": write csv or jsonl.'],
    ["--after with a word", ["--after", "last"], '--after cannot be "last": write the sequence'],
    ["CSV as JSON", ["--format", "csv", "--json"], "Omit --format csv"],
  ])("rejects %s", async (_title, more, words) => {
    const { code, out, err } = await cli.run(["ledger", "export", "--account", "acme", ...more]);
    expect([code, out, err.replaceAll('\\"', '"')]).toEqual([2, "", expect.stringContaining(words)]);
  });
});

describe("ledger verify", () => {
  it("reports that the ledger is consistent", async () => {
    credit("1");
    expect(await cli.run(["ledger", "verify"])).toEqual({ code: 0, out: "The ledger is consistent.\n", err: "" });
    expect((await cli.run(["ledger", "verify", "--json"])).out).toBe('{"ok":true,"violations":[]}\n');
  });

  it("exits with 1 and reports the inconsistencies", async () => {
    const violations = [{ account: "acme", problem: "Account acme has 5 posted, but its entries sum to 4." }];
    const broken = openWith({ verify: () => violations });
    const text = await broken.run(["ledger", "verify"]);
    expect([text.code, text.out]).toEqual([1, `${violations[0]?.problem}\n`]);
    expect(text.err).toContain("The ledger has 1 inconsistency.");
    const json = await broken.run(["ledger", "verify", "--json"]);
    expect([json.code, JSON.parse(json.out)]).toEqual([1, { ok: false, violations }]);
    expect(JSON.parse(json.err)).toMatchObject({ error: { code: "violations_found" } });
  });
});

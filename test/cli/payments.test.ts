import { memoryAuditLog, memoryBalanceStore } from "@tollgate/core";
import { memoryPaymentStore } from "@tollgate/payments";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acmePay } from "../../examples/custom-provider/src/acme-pay.ts";
import { type AcmeServer, startAcmeServer } from "../payments/acme-server.ts";
import { paid, secrets } from "../payments/counter.ts";
import { type CliUnderTest, openCli } from "./in-process.ts";

const id = "0d5c8f4e-8f0c-4b52-9c0e-6c1d1c1f9a01";
const range = ["--from", "1d", "--to", "2127-01-01"];
let acme: AcmeServer;
let cli: CliUnderTest;
let store: ReturnType<typeof memoryPaymentStore>;
let audit: ReturnType<typeof memoryAuditLog>;

beforeEach(async () => {
  acme = await startAcmeServer();
  const balances = memoryBalanceStore();
  store = memoryPaymentStore({ balances });
  audit = memoryAuditLog();
  const product = { id: "small", price: { amount: 1_000n, currency: "USD" }, credit: 10_000_000_000n, bonus: 0n };
  const common = {
    id,
    account: "ann",
    provider: "acme-pay",
    live: false,
    kind: "checkout",
    savesMethod: false,
  } as const;
  store.begin({ ...common, product }, { maxOpen: 5 });
  store.apply(paid(id), { refundsBelowZero: false });
  const provider = acmePay({ baseURL: acme.baseURL, apiKey: "key", live: false, ...secrets });
  cli = openCli({ balances, audit, payments: { store, provider } });
});

afterEach(async () => {
  cli.close();
  await acme.close();
});

const received = () =>
  acme.movements.push({
    id: "m1",
    type: "payment",
    reference: `ref_${id}`,
    amount: { amount: 1_000n, currency: "USD" },
    at: new Date(),
  });

describe("payments list", () => {
  it("shows payments as a table, and as JSON", async () => {
    const table = await cli.run(["payments", "list", "--account", "ann"]);
    expect(table.out).toMatch(
      /^AT +ACCOUNT +PRODUCT +CREDIT +STATE +TAKEN BACK +REFERENCE +PROBLEM\n\S+Z +ann +small +10 +paid +0 +ref_\S+\n$/,
    );
    const { out } = await cli.run(["payments", "list", "--state", "paid", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      payments: [{ id, account: "ann", price: { amount: "1000", currency: "USD" }, credit: "10", state: "paid" }],
    });
    expect((await cli.run(["payments", "list", "--state", "held"])).out).toBe("There are no payments.\n");
  });
});

describe("payments resolve", () => {
  it("removes the problem of a payment, which then is not in Health any more, and says so in the audit log", async () => {
    const again = paid(id, { receipt: { reference: "second", at: new Date(), tax: 0n } });
    store.apply({ ...again, id: "again" }, { refundsBelowZero: false });
    const problem = store.find({ id })?.problem ?? "";
    expect(problem).toContain("second");
    const line = ["payments", "resolve", id, "--reason", "refunded by hand", "--actor", "otto"];
    expect(await cli.run(line)).toMatchObject({ code: 0, out: `Resolved the payment ${id}: ${problem}\n` });
    expect(store.find({ id })?.problem).toBeUndefined();
    expect((await audit.list({ limit: 10 })).entries).toMatchObject([
      { actor: "otto", action: "payment.resolve", subject: `payment:${id}`, after: { reason: "refunded by hand" } },
    ]);
    expect(await cli.run(line)).toMatchObject({ err: expect.stringContaining("has no problem") });
    expect(await cli.run(["payments", "resolve", "other", "--reason", "x"])).toMatchObject({
      err: expect.stringContaining("There is no payment"),
    });
  });
});

describe("payments reconcile", () => {
  it("exits with 0 without a difference", async () => {
    received();
    const { code, out } = await cli.run(["payments", "reconcile", ...range]);
    expect([code, out]).toEqual([0, "Compared 1 movements, 1 payments and 1 credits: 0 differences.\n"]);
  });

  it("exits with 1 and names each difference", async () => {
    const { code, out, err } = await cli.run(["payments", "reconcile", ...range]);
    expect([code, out.split("\n")[0]]).toEqual([
      1,
      `The payment ${id} is credited to ann, and the provider has no ref_${id}.`,
    ]);
    expect(err).toContain("There is 1 difference.");
    const json = await cli.run(["payments", "reconcile", ...range, "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({
      payments: 1,
      differences: [{ kind: "not_received", account: "ann" }],
    });
  });

  it("says what to do when the provider is down, or the config file has no payments", async () => {
    acme.mood = "down";
    expect(await cli.run(["payments", "reconcile", ...range])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Acme Pay cannot be reached"),
    });
    const bare = openCli({ balances: memoryBalanceStore() });
    expect(await bare.run(["payments", "list"])).toMatchObject({ code: 2, err: expect.stringContaining("`payments`") });
    bare.close();
  });
});

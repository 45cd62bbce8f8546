import type { UsageRow } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { begunPayment } from "../payments/begun-payment.ts";
import { type Scene, setScene } from "./scene.ts";
import { usageRow } from "./usage-row.ts";

const person = "ann@host.example";
const reason = "request of the customer";

/** Fills every store with data of an account, in which `person` stands wherever a customer can write. */
async function fill({ stores }: Scene, account: string): Promise<UsageRow> {
  const { secret: _, key } = await stores.keys.create({ account, plan: "prepaid", name: person, tags: [person] });
  stores.balances.credit({ id: `top-up of ${account}`, account, amount: "5", reason: "top-up" });
  const receipt = { requestId: "req_1", description: person, metadata: { user: person } };
  const plain = { keyId: undefined, leaseMs: 60_000, terms: [], spend: {}, notices: undefined };
  stores.balances.hold({ id: `charge of ${account}`, account, amount: 1_000_000_000n, receipt, ...plain });
  stores.balances.settle({ id: `charge of ${account}`, account }, 1_000_000_000n, undefined);
  const row = { ...usageRow({ account, keyId: key.id, endUser: person, tags: [person] }), id: crypto.randomUUID() };
  await stores.usage.record([row]);
  const said = { role: "user", content: person } as const;
  await stores.content.record([
    { id: row.id, at: row.at, account, keyId: key.id, model: "plain", request: { person } },
  ]);
  const session = { id: crypto.randomUUID(), account };
  const [turnId, lease] = [crypto.randomUUID(), { leaseMs: 60_000, historyLimit: 10 }];
  await stores.sessions.create({ ...session, assistantId: "support", clientData: { mail: person }, ttlMs: 60_000 });
  await stores.sessions.beginTurn(session, { turnId, ...lease });
  await stores.sessions.endTurn(session, { turnId, messages: [said], images: [] });
  const item = (id: string) => ({ id, json: JSON.stringify({ id, content: person }) });
  const sizes = { ttlMs: 60_000, maxAccountBytes: 100_000 };
  const response = JSON.stringify({ id: `resp_${account}`, output: [person] });
  await stores.responses.save({ id: `resp_${account}`, account, response, input: [item("a")], output: [], ...sizes });
  await fillPayments(stores, account);
  return row;
}

/** Adds a checkout that is open, with the address of its page, and an automatic top-up. */
async function fillPayments({ payments }: Scene["stores"], account: string): Promise<void> {
  const { id } = await begunPayment(payments, account);
  payments.open(id, { reference: "page", url: `https://pay.example/${person}`, expiresAt: new Date(0) });
  const method = { customer: person, method: "card" };
  payments.setTopUp({ id: "top-up", account, product: "small", below: 500_000_000n, maxPerDay: 1, method });
}

const readLines = ({ text }: { readonly text: string }): readonly { readonly type: string }[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const typesOf = (lines: readonly { readonly type: string }[]) => lines.map(({ type }) => type);

describe("forgetting an account", () => {
  it("ends its keys, erases what its customer wrote, and keeps amounts and times", async () => {
    await using scene = await setScene();
    const row = await fill(scene, "acme");
    expect(await scene.ask("POST", "/accounts/acme/forget", { body: { reason } })).toMatchObject({
      status: 200,
      json: { erased: { keys: 1, sessions: 1, responses: 1, content: 1, requests: 1, charges: 1, payments: 2 } },
    });
    const left = await scene.ask("GET", "/accounts/acme/export");
    expect(typesOf(readLines(left))).toEqual([
      "account",
      "key",
      "entry",
      "entry",
      "request",
      "payment",
      "change",
      "change",
    ]);
    expect(left.text).not.toContain(person);
    const [account, key, charge, credit, request, payment] = readLines(left);
    expect([account, key]).toMatchObject([{ posted: "4" }, { state: "revoked", name: null }]);
    expect(charge).toMatchObject({ amount: "-1", receipt: { description: "forgotten", metadata: null } });
    expect(credit).toMatchObject({ amount: "5", reason: "top-up" });
    const kept = { at: row.at.toISOString(), cost: "0.05", end_user: null, tags: [], timeline: [] };
    expect(request).toMatchObject(kept);
    expect(payment).toMatchObject({ state: "open", price: { amount: "1000", currency: "USD" }, checkout: null });
  });

  it("erases nothing of another account", async () => {
    await using scene = await setScene();
    await fill(scene, "acme");
    await fill(scene, "other");
    const before = await scene.ask("GET", "/accounts/other/export");
    await scene.ask("POST", "/accounts/acme/forget", { body: { reason } });
    const after = await scene.ask("GET", "/accounts/other/export");
    // The audit log has one more export.
    expect(readLines(after).slice(0, -2)).toEqual(readLines(before).slice(0, -1));
  });

  it("is finished by a repeated call after a store failed, and is audited", async () => {
    await using scene = await setScene();
    await fill(scene, "acme");
    const { responses } = scene.stores;
    const sound = responses.forget.bind(responses);
    let isDown = true;
    Object.assign(responses, {
      forget: (account: string) => {
        if (isDown) throw new Error("down");
        return sound(account);
      },
    });
    const body = { reason };
    expect(await scene.ask("POST", "/accounts/acme/forget", { body })).toMatchObject({ status: 503 });
    isDown = false;
    expect(await scene.ask("POST", "/accounts/acme/forget", { body })).toMatchObject({
      json: { erased: { keys: 0, sessions: 0, responses: 1, content: 1, requests: 1 } },
    });
    expect(await scene.ask("GET", "/audit?subject=account:acme")).toMatchObject({
      json: {
        data: [
          { action: "account.forget", after: { reason } },
          { action: "account.forget.failed" },
          { actor: "ada", action: "account.forget", after: { reason } },
        ],
      },
    });
  });

  it("says which stores the host has not passed", async () => {
    await using full = await setScene();
    await fill(full, "acme");
    const { keys, balances, accounts, audit } = full.stores;
    await using scene = await setScene({ stores: { keys, balances, accounts, audit } });
    expect(await scene.ask("POST", "/accounts/acme/forget", { body: { reason } })).toMatchObject({
      json: {
        erased: { keys: 1, sessions: null, responses: null, content: null, requests: null, charges: 1, payments: null },
      },
    });
  });

  it("is refused for an unknown account, and to other roles", async () => {
    await using scene = await setScene();
    const ask = (as: "admin" | "operator") => scene.ask("POST", "/accounts/nobody/forget", { as, body: { reason } });
    expect(await ask("admin")).toMatchObject({ status: 404, json: { error: { code: "resource_not_found" } } });
    expect(await ask("operator")).toMatchObject({ status: 403 });
    expect(await scene.ask("GET", "/accounts/nobody/export")).toMatchObject({ status: 404 });
    expect(await scene.ask("GET", "/accounts/nobody/export", { as: "operator" })).toMatchObject({ status: 403 });
  });
});

describe("the export of an account", () => {
  it("has all that is kept of it, one object a line, and is audited", async () => {
    await using scene = await setScene();
    const row = await fill(scene, "acme");
    await fill(scene, "other");
    await scene.ask("POST", "/accounts/acme/terms", { body: { version_id: "terms-1" } });
    const answer = await scene.ask("GET", "/accounts/acme/export");
    expect(answer.headers.get("content-type")).toBe("application/jsonl; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="accounts.export.jsonl"');
    const lines = readLines(answer);
    expect(typesOf(lines)).toEqual([
      ...["account", "key", "acceptance", "entry", "entry", "request", "content"],
      ...["session", "message", "response", "response_input", "payment", "top_up"],
      ...["change", "change"],
    ]);
    expect(lines).toMatchObject([
      { id: "acme", posted: "4" },
      { account: "acme", name: person },
      { version_id: "terms-1" },
      { kind: "charge", receipt: { description: person } },
      { kind: "credit", reason: "top-up" },
      { id: row.id, end_user: person },
      { id: row.id, at: row.at.toISOString(), request: { person }, response: null },
      { assistant_id: "support", client_data: { mail: person } },
      { sequence: 1, message: { content: person } },
      { id: "resp_acme", response: { output: [person] } },
      { response_id: "resp_acme", item: { id: "a", content: person } },
      { checkout: { url: `https://pay.example/${person}` }, method: null, receipt: null, credit: "0.000001" },
      { below: "0.5", max_per_day: 1, method: { customer: person, method: "card" }, stopped: null },
      { actor: "ada", action: "account.export" },
      { action: "terms.accept" },
    ]);
    expect(answer.text).not.toContain("other");
  });
});

import { describe, expect, it } from "vitest";
import { type Scene, setScene } from "./scene.ts";

const reason = "chargeback";
const post = (scene: Scene, path: string, body: object, as: "admin" | "operator" | "viewer" = "admin") =>
  scene.ask("POST", path, { as, body });

/** Charges "acme" an amount in nano-units, and returns the sequence of the entry. */
function charge(scene: Scene, amount: bigint): string {
  const { balances } = scene.stores;
  const id = crypto.randomUUID();
  const receipt = { requestId: id, description: "Image" };
  const plain = { account: "acme", keyId: undefined, leaseMs: 60_000, terms: [], spend: {}, notices: undefined };
  balances.hold({ id, amount, receipt, ...plain });
  balances.settle({ id, account: "acme" }, amount, undefined);
  return String(balances.entries({ account: "acme", reference: id, limit: 1 }).entries[0]?.sequence);
}

async function sceneWithCredit(): Promise<Scene> {
  const scene = await setScene();
  scene.stores.balances.credit({ id: "top-up", account: "acme", amount: "10", reason: "top-up" });
  return scene;
}

const auditOf = async (scene: Scene): Promise<unknown> =>
  Object((await scene.ask("GET", "/audit?subject=account:acme")).json).data;

describe("a freeze", () => {
  it("is seen in the account and in the list until the account is thawed, and is audited", async () => {
    await using scene = await sceneWithCredit();
    const frozen = { at: expect.any(String), reason };
    expect(await post(scene, "/accounts/acme/freeze", { reason }, "operator")).toMatchObject({
      status: 200,
      json: { id: "acme", frozen },
    });
    expect(await scene.ask("GET", "/accounts/acme", { as: "viewer" })).toMatchObject({ json: { frozen } });
    expect(await scene.ask("GET", "/accounts")).toMatchObject({ json: { data: [{ id: "acme", frozen }] } });
    const thawed = await post(scene, "/accounts/acme/thaw", { reason: "won" }, "operator");
    expect(thawed).toMatchObject({ status: 200, json: { frozen: null } });
    expect(await auditOf(scene)).toMatchObject([
      { actor: "otto", action: "account.thaw", before: { reason }, after: { reason: "won" } },
      { actor: "otto", action: "account.freeze", before: null, after: { reason } },
    ]);
  });

  it("stops the next call of a model at once, and not the one after it is thawed", async () => {
    await using scene = await sceneWithCredit();
    const { secret } = await scene.stores.keys.create({ account: "acme", plan: "prepaid" });
    await post(scene, "/accounts/acme/terms", { version_id: "terms-1" });
    const call = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
      const body = JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }] });
      const url = "http://x.test/router/v1/chat/completions";
      return (await scene.gateway.fetch(new Request(url, { method: "POST", headers, body }))).status;
    };
    const before = await call();
    await post(scene, "/accounts/acme/freeze", { reason });
    const during = await call();
    await post(scene, "/accounts/acme/thaw", { reason });
    expect([before, during, await call()]).toEqual([200, 403, 200]);
  });

  it("of an unknown account is refused, and leaves none behind", async () => {
    await using scene = await sceneWithCredit();
    const unknown = { status: 404, json: { error: { code: "resource_not_found" } } };
    expect(await post(scene, "/accounts/acmee/freeze", { reason })).toMatchObject(unknown);
    expect(await post(scene, "/accounts/acmee/thaw", { reason })).toMatchObject(unknown);
    expect(await scene.ask("GET", "/accounts/acmee")).toMatchObject(unknown);
    expect(await post(scene, "/accounts/acme/freeze", {})).toMatchObject({
      status: 400,
      json: { error: { param: "reason" } },
    });
  });
});

describe("a refund", () => {
  it("returns a charge to the money that paid for it, once, and is audited", async () => {
    await using scene = await sceneWithCredit();
    const sequence = charge(scene, 4_000_000_000n);
    const body = { sequence, amount: "1.5", reason: "cut off" };
    expect(await post(scene, "/accounts/acme/refunds", body)).toMatchObject({
      status: 200,
      json: { outcome: "posted", amount: "1.5", balance: { posted: "7.5" } },
    });
    expect(await post(scene, "/accounts/acme/refunds", body)).toMatchObject({
      json: { outcome: "repeated", amount: "1.5", balance: { posted: "7.5" } },
    });
    expect(await post(scene, "/accounts/acme/refunds", { ...body, amount: "2" })).toMatchObject({
      status: 409,
      json: { error: { code: "conflict", param: "amount" } },
    });
    expect(await auditOf(scene)).toMatchObject([
      { action: "account.refund.conflict", after: { sequence } },
      { action: "account.refund", after: { sequence, amount: "2" } },
      { action: "account.refund.repeated" },
      { action: "account.refund" },
      { actor: "ada", action: "account.refund", after: { sequence, amount: "1.5", reason: "cut off" } },
    ]);
  });

  it("without an amount returns all of it", async () => {
    await using scene = await sceneWithCredit();
    const sequence = charge(scene, 4_000_000_000n);
    expect(await post(scene, "/accounts/acme/refunds", { sequence, reason })).toMatchObject({
      json: { outcome: "posted", amount: "4", balance: { posted: "10" } },
    });
  });

  it.each([
    ["of an entry that is no charge", "1"],
    ["of an unknown entry", "999999"],
  ])("%s is refused with 404", async (_, sequence) => {
    await using scene = await sceneWithCredit();
    expect(await post(scene, "/accounts/acme/refunds", { sequence, reason })).toMatchObject({
      status: 404,
      json: { error: { code: "resource_not_found", param: "sequence" } },
    });
  });

  it("above its charge is refused with 409, and an invalid sequence with 400", async () => {
    await using scene = await sceneWithCredit();
    const sequence = charge(scene, 1n);
    expect(await post(scene, "/accounts/acme/refunds", { sequence, amount: "1", reason })).toMatchObject({
      status: 409,
    });
    expect(await post(scene, "/accounts/acme/refunds", { sequence: "x", reason })).toMatchObject({
      status: 400,
      json: { error: { param: "sequence" } },
    });
  });

  it("needs the role admin", async () => {
    await using scene = await sceneWithCredit();
    expect(await post(scene, "/accounts/acme/refunds", { sequence: "1", reason }, "operator")).toMatchObject({
      status: 403,
    });
  });
});

describe("money that is granted or expires", () => {
  const grant = { amount: "5", reason: "welcome", kind: "granted", expires_at: "2099-01-01T00:00:00.000Z" };

  it("is credited with its kind and time, and shown with what is left of it", async () => {
    await using scene = await sceneWithCredit();
    await post(scene, "/accounts/acme/credits", grant);
    charge(scene, 2_000_000_000n);
    expect(await scene.ask("GET", "/accounts/acme")).toMatchObject({
      json: {
        posted: "13",
        expiring: [{ amount: "3", expires_at: grant.expires_at }],
        totals: { credited: "15", used: "2" },
      },
    });
    expect(await auditOf(scene)).toMatchObject([{ action: "account.credit", after: grant }]);
  });

  it("is not taken by a debit of paid money, which takes what is left and says so", async () => {
    await using scene = await sceneWithCredit();
    await post(scene, "/accounts/acme/credits", grant);
    const debit = { amount: "12", reason: "refunded by card", from: "paid" };
    expect(await post(scene, "/accounts/acme/debits", debit)).toMatchObject({
      json: { outcome: "posted", amount: "10", balance: { posted: "5" } },
    });
  });

  it.each([
    ["an unknown kind", { ...grant, kind: "gift" }, "kind"],
    ["a time without a zone", { ...grant, expires_at: "2099-01-01" }, "expires_at"],
  ])("is refused with %s", async (_, body, param) => {
    await using scene = await sceneWithCredit();
    expect(await post(scene, "/accounts/acme/credits", body)).toMatchObject({
      status: 400,
      json: { error: { param } },
    });
  });

  it("is refused with an Idempotency-Key that the store gives to lots of its own", async () => {
    await using scene = await sceneWithCredit();
    const headers = { "idempotency-key": "allowance:month:2026-11" };
    expect(await scene.ask("POST", "/accounts/acme/credits", { body: grant, headers })).toMatchObject({
      status: 400,
      json: { error: { param: "idempotency-key" } },
    });
  });
});

it("an account shows the allowance of its plan's present window as granted", async () => {
  await using scene = await sceneWithCredit();
  const { gateway } = scene;
  const plans = [{ id: "monthly", billing: "prepaid", allowance: { amount: "3", window: "month" } }] as const;
  const inspect = () => ({ ...gateway.inspect(), plans });
  await using other = await setScene({
    gateway: Object.assign(Object.create(gateway), { inspect }),
    stores: scene.stores,
  });
  await scene.stores.keys.create({ account: "acme", plan: "monthly" });
  const { json } = await other.ask("GET", "/accounts/acme");
  expect(json).toMatchObject({ available: "13", expiring: [{ amount: "3" }], totals: { credited: "13" } });
});

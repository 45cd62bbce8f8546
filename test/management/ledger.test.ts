import { describe, expect, it } from "vitest";
import { type Answer, type Scene, setScene } from "./scene.ts";

const credit = { amount: "2.50", reason: "top-up" };

const post = (scene: Scene, kind: "credits" | "debits", body: object, key?: string): Promise<Answer> =>
  scene.ask("POST", `/accounts/acme/${kind}`, {
    body,
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
  });

describe("credits and debits", () => {
  it("change the balance, and are in the ledger with their reason", async () => {
    await using scene = await setScene();
    expect(await post(scene, "credits", credit, "order-1")).toMatchObject({
      status: 200,
      json: { outcome: "posted", balance: { posted: "2.5", held: "0", available: "2.5" } },
    });
    const debit = await post(scene, "debits", { amount: "0.000000001", reason: "correction" });
    expect(debit).toMatchObject({ json: { outcome: "posted", balance: { posted: "2.499999999" } } });
    expect(await scene.ask("GET", "/accounts/acme/entries", { as: "viewer" })).toMatchObject({
      json: {
        data: [
          { kind: "debit", amount: "-0.000000001", reason: "correction" },
          { kind: "credit", amount: "2.5", reference: "order-1", reason: "top-up", receipt: null },
        ],
      },
    });
  });

  it("are posted once for one Idempotency-Key, of 100 at once", async () => {
    await using scene = await setScene();
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(scene, "credits", credit, "order-1")));
    const outcomes = answers.map(({ json }) => Object(json).outcome);
    expect(outcomes.filter((outcome) => outcome === "posted")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "repeated")).toHaveLength(99);
    expect(scene.stores.balances.balance("acme")).toMatchObject({ posted: 2_500_000_000n });
    const { text } = await scene.ask("GET", "/audit?action=account.credit.repeated&format=jsonl");
    expect(text.trimEnd().split("\n")).toHaveLength(99);
  });

  it("say whether the account is new, which a key makes known too", async () => {
    await using scene = await setScene();
    await scene.stores.keys.create({ account: "with-key", plan: "prepaid" });
    const isNew = async (account: string, key?: string) => {
      const headers = key === undefined ? {} : { "idempotency-key": key };
      const { json } = await scene.ask("POST", `/accounts/${account}/credits`, { body: credit, headers });
      return Object(json).new_account;
    };
    expect(await isNew("acme", "order-1")).toBe(true);
    expect(await isNew("acme", "order-1")).toBe(false);
    expect(await isNew("acme")).toBe(false);
    expect(await isNew("with-key")).toBe(false);
  });

  it("are posted each time without a key", async () => {
    await using scene = await setScene();
    await post(scene, "credits", credit);
    expect(await post(scene, "credits", credit)).toMatchObject({ json: { balance: { posted: "5" } } });
  });

  it("are refused for a key of another posting, which is in the audit log", async () => {
    await using scene = await setScene();
    await post(scene, "credits", credit, "order-1");
    const conflict = { status: 409, json: { error: { code: "conflict", param: "idempotency-key" } } };
    expect(await post(scene, "credits", { ...credit, amount: "3" }, "order-1")).toMatchObject(conflict);
    expect(await post(scene, "debits", credit, "order-1")).toMatchObject(conflict);
    expect(await scene.ask("GET", "/audit?subject=account:acme&limit=1")).toMatchObject({
      json: { data: [{ action: "account.debit.conflict", after: { reference: "order-1" } }] },
    });
  });

  it.each([
    ["nothing", { amount: "0", reason: "x" }, "amount"],
    ["a negative amount", { amount: "-1", reason: "x" }, "amount"],
    ["a number", { amount: 1, reason: "x" }, "amount"],
    ["ten decimals", { amount: "0.0000000001", reason: "x" }, "amount"],
    ["no reason", { amount: "1" }, "reason"],
  ])("refuse %s", async (_, body, param) => {
    await using scene = await setScene();
    expect(await post(scene, "credits", body)).toMatchObject({ status: 400, json: { error: { param } } });
  });

  it("refuse a key that is longer than 128 characters", async () => {
    await using scene = await setScene();
    const answer = await post(scene, "credits", credit, "x".repeat(129));
    expect(answer).toMatchObject({ status: 400, json: { error: { param: "idempotency-key" } } });
  });
});

describe("the ledger", () => {
  it("shows the receipt of a charge", async () => {
    await using scene = await setScene();
    await post(scene, "credits", credit);
    await scene.ask("POST", "/accounts/acme/terms", { body: { version_id: "terms-1" } });
    const { secret } = await scene.stores.keys.create({ account: "acme", plan: "prepaid" });
    const response = await scene.gateway.fetch(
      new Request("http://x.test/router/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", "x-request-id": "order-7" },
        body: JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }] }),
      }),
    );
    expect(response.status).toBe(200);
    const { json } = await scene.ask("GET", "/accounts/acme/entries", { as: "viewer" });
    expect(Object(json).data[0]).toMatchObject({
      kind: "charge",
      receipt: {
        request_id: "order-7",
        model: "plain",
        dialect: "chat",
        charge: { provider: "scripted", upstream_model: "upstream-model", prices: { input: "1", output: "2" } },
      },
    });
  });

  it("has charges of the host, money that is granted or expired, and refunds", async () => {
    await using scene = await setScene();
    const { balances } = scene.stores;
    const expiresAt = new Date("2099-01-01T00:00:00Z");
    balances.credit({ id: "gift", account: "acme", amount: 9n, reason: "trial", kind: "granted", expiresAt });
    const receipt = { requestId: "req-2", description: "Image", metadata: { order: "17" } };
    const plain = { account: "acme", leaseMs: 60_000, terms: [], spend: {}, notices: undefined };
    balances.hold({ id: "h", keyId: undefined, amount: 5n, receipt, ...plain });
    balances.settle({ id: "h", account: "acme" }, 5n, undefined);
    const [charge] = balances.entries({ account: "acme", kind: "charge", limit: 1 }).entries;
    balances.refund({ account: "acme", sequence: charge?.sequence ?? 0n, reason: "poor image" });
    const lots = [{ lot: "gift", kind: "granted", amount: "0.000000005", expires_at: expiresAt.toISOString() }];
    const host = { request_id: "req-2", key_id: null, model: null, dialect: null, description: "Image", charge: null };
    expect(await scene.ask("GET", "/accounts/acme/entries", { as: "viewer" })).toMatchObject({
      json: {
        data: [
          { kind: "refund", reference: String(charge?.sequence), reason: "poor image", receipt: null, lots },
          { kind: "charge", reason: null, receipt: { ...host, metadata: { order: "17" } }, lots },
          { kind: "credit", reference: "gift", lots: [{ ...lots[0], amount: "0.000000009" }] },
        ],
      },
    });
    const { json } = await scene.ask("GET", "/accounts/acme/entries?kind=refund");
    expect(Object(json).data).toHaveLength(1);
  });

  it("has the newest entry first, in pages that stay the same while others are added", async () => {
    await using scene = await setScene();
    for (const amount of ["1", "2", "3"]) await post(scene, "credits", { amount, reason: "top-up" });
    const first = await scene.ask("GET", "/accounts/acme/entries?limit=2", { as: "viewer" });
    expect(first).toMatchObject({ json: { data: [{ amount: "3" }, { amount: "2" }] } });
    await post(scene, "credits", { amount: "4", reason: "top-up" });
    const next = await scene.ask("GET", `/accounts/acme/entries?limit=2&cursor=${Object(first.json).next}`);
    expect(next).toMatchObject({ json: { data: [{ amount: "1" }], next: null } });
  });

  it("is filtered by kind and time, also in its export", async () => {
    await using scene = await setScene();
    await post(scene, "credits", credit);
    await post(scene, "debits", { amount: "1", reason: "fee" });
    const [debit] = Object((await scene.ask("GET", "/accounts/acme/entries")).json).data;
    const kindsOf = async (filter: string) =>
      Object((await scene.ask("GET", `/accounts/acme/entries?${filter}`)).json).data.map(
        ({ kind }: { readonly kind: string }) => kind,
      );
    expect(await kindsOf("kind=credit")).toEqual(["credit"]);
    expect(await kindsOf(`from=${new Date(Date.parse(debit.at) + 1).toISOString()}`)).toEqual([]);
    expect(await kindsOf(`to=${new Date(Date.parse(debit.at) + 1).toISOString()}`)).toEqual(["debit", "credit"]);
    const { text } = await scene.ask("GET", "/accounts/acme/entries?kind=debit&format=jsonl");
    expect(JSON.parse(text)).toMatchObject({ kind: "debit" });
    expect(await scene.ask("GET", "/accounts/acme/entries?kind=gift")).toMatchObject({
      status: 400,
      json: { error: { param: "kind" } },
    });
  });

  it("is verified by an admin", async () => {
    await using scene = await setScene();
    await post(scene, "credits", credit);
    expect(await scene.ask("POST", "/ledger/verify")).toMatchObject({ json: { ok: true, violations: [] } });
    const { balances } = scene.stores;
    const verify = () => [{ account: "acme", problem: "The sum differs." }];
    await using broken = await setScene({ stores: { balances: Object.assign(balances, { verify }) } });
    expect(await broken.ask("POST", "/ledger/verify")).toMatchObject({
      json: { ok: false, violations: [{ account: "acme", problem: "The sum differs." }] },
    });
  });
});

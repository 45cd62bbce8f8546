import { describe, expect, it } from "vitest";
import { setScene } from "./scene.ts";

const nano = 1_000_000_000n;

describe("the keys of an account", () => {
  it("are created in the plan of the host, and call models at once", async () => {
    await using scene = await setScene();
    scene.stores.balances.credit({ id: "1", account: "acme", amount: nano, reason: "test" });
    await scene.ask("POST", "/api/terms", { body: { version_id: "terms-1" } });
    const { status, json } = await scene.ask("POST", "/api/keys", { body: { name: "ci" } });
    expect([status, json.key]).toMatchObject([201, { name: "ci", plan: "prepaid", state: "active" }]);
    expect(json.key).not.toHaveProperty("tags");
    const answer = await scene.gateway.fetch(
      new Request("http://gateway.test/router/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${json.secret}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "plain", messages: [{ role: "user", content: "Hello" }] }),
      }),
    );
    expect(answer.status).toBe(200);
    const { entries } = await scene.stores.audit.list({ limit: 10 });
    expect(JSON.stringify(entries.map(({ before, after }) => [before, after]))).not.toContain(json.secret);
    expect(entries.map(({ actor, action }) => `${actor} ${action}`)).toContain("customer:acme/ann key.created");
  });

  it("are at most as many as the host allows, also when they are created at the same time", async () => {
    await using scene = await setScene({ keys: { plan: "prepaid", most: 3 } });
    const answers = await Promise.all(Array.from({ length: 12 }, () => scene.ask("POST", "/api/keys", { body: {} })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array(9).fill(409)]);
    const [key] = (await scene.ask("GET", "/api/keys")).json.data;
    expect((await scene.ask("POST", `/api/keys/${key?.id}/revoke`)).json.state).toBe("revoked");
    expect((await scene.ask("POST", "/api/keys", { body: {} })).status).toBe(201);
  });

  it("are not created where the host names no plan", async () => {
    await using scene = await setScene();
    await using without = await setScene({ keys: null });
    expect((await scene.ask("GET", "/api/me")).json).toMatchObject({ plan: { id: "prepaid" }, most_keys: 20 });
    expect((await without.ask("GET", "/api/me")).json).toMatchObject({ plan: null, most_keys: 0 });
    expect((await without.ask("POST", "/api/keys", { body: {} })).status).toBe(404);
  });

  it("of another account are unknown: they are not read, changed, rotated or revoked", async () => {
    await using scene = await setScene();
    const { key } = (await scene.ask("POST", "/api/keys", { as: "eve", body: {} })).json;
    const calls = [
      ["GET", "", undefined],
      ["PATCH", "", { name: "mine" }],
      ["POST", "/rotate", { grace_seconds: 0 }],
      ["POST", "/revoke", undefined],
    ] as const;
    const unknown = await scene.ask("GET", "/api/keys/key_unknown");
    for (const [method, path, body] of calls) {
      const answer = await scene.ask(method, `/api/keys/${key.id}${path}`, { body });
      expect([method, answer.status, answer.json.error.message]).toEqual([method, 404, unknown.json.error.message]);
    }
    expect((await scene.stores.keys.get(key.id))?.revokedAt).toBeUndefined();
  });

  it("are rotated by their customer, and the old secret ends after the grace period", async () => {
    await using scene = await setScene();
    const { key } = (await scene.ask("POST", "/api/keys", { body: { name: "ci" } })).json;
    const body = { grace_seconds: 3_600 };
    const { status, json } = await scene.ask("POST", `/api/keys/${key.id}/rotate`, { body });
    expect([status, json.key]).toMatchObject([201, { name: "ci", rotated_from: key.id }]);
    expect((await scene.ask("GET", `/api/keys/${key.id}`)).json.expires_at).not.toBeNull();
    const tooLong = { grace_seconds: 604_801 };
    expect((await scene.ask("POST", `/api/keys/${json.key.id}/rotate`, { body: tooLong })).status).toBe(400);
  });
});

describe("the spend limit of a key", () => {
  it("is the customer's, at or below that of the account", async () => {
    await using scene = await setScene();
    await scene.stores.balances.limitSpend("acme", { limit: 10n * nano, window: "month" });
    const create = (limit: string) => scene.ask("POST", "/api/keys", { body: { spend: { limit, window: "month" } } });
    const refused = await create("10.01");
    expect([refused.status, refused.json.error.param]).toEqual([400, "spend"]);
    const { key } = (await create("10")).json;
    const change = (spend: unknown) => scene.ask("PATCH", `/api/keys/${key.id}`, { body: { spend } });
    expect((await change({ limit: "11", window: "month" })).status).toBe(400);
    expect((await change({ limit: "1", window: "day" })).json.spend).toMatchObject({ limit: "1", window: "day" });
    expect((await change(null)).json.spend).toBeNull();
  });

  it("that the host has set is lowered only", async () => {
    await using scene = await setScene();
    const { key } = await scene.stores.keys.create({
      account: "acme",
      plan: "prepaid",
      spend: { limit: 5n * nano, window: "month" },
    });
    const change = async (spend: unknown) =>
      (await scene.ask("PATCH", `/api/keys/${key.id}`, { body: { spend } })).status;
    expect(await change(null)).toBe(400);
    expect(await change({ limit: "6", window: "month" })).toBe(400);
    expect(await change({ limit: "5", window: "total" })).toBe(400);
    expect(await change({ limit: "4", window: "month" })).toBe(200);
  });
});

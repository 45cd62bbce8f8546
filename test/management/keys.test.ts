import { describe, expect, it } from "vitest";
import { type Scene, setScene } from "./scene.ts";

const newKey = { account: "acme", plan: "prepaid" };

async function createKey(
  scene: Scene,
  members: object = {},
): Promise<{ readonly id: string; readonly secret: string }> {
  const { json } = await scene.ask("POST", "/keys", { as: "operator", body: { ...newKey, ...members } });
  const { key, secret } = Object(json);
  return { id: key.id, secret };
}

/** The status of GET /models with a key. */
const statusWith = async ({ gateway }: Scene, secret: string): Promise<number> => {
  const headers = { authorization: `Bearer ${secret}` };
  return (await gateway.fetch(new Request("http://x.test/router/v1/models", { headers }))).status;
};

describe("a key", () => {
  it("is created with all its settings, and its secret works once the terms are accepted", async () => {
    await using scene = await setScene();
    const settings = {
      name: "shop",
      models: ["plain"],
      features: ["tools"],
      dialects: ["messages", "responses"],
      scopes: ["inference", "account:read"],
      limits: { requests: { limit: 5, window_seconds: 60 }, concurrency: 2 },
      spend: { limit: "2.50", window: "month", timezone: "Europe/Berlin" },
      tags: ["eu"],
      log_content: true,
      expires_at: "2099-01-01T01:00:00+01:00",
    };
    const { id, secret } = await createKey(scene, settings);
    expect(await scene.ask("GET", `/keys/${id}`, { as: "viewer" })).toMatchObject({
      status: 200,
      json: {
        ...settings,
        limits: { ...settings.limits, tokens: null },
        spend: { ...settings.spend, limit: "2.5" },
        expires_at: "2099-01-01T00:00:00.000Z",
        state: "active",
        last_used_at: null,
      },
    });
    expect(await statusWith(scene, secret)).toBe(428);
    const accepted = await scene.ask("POST", "/accounts/acme/terms", {
      as: "operator",
      body: { version_id: "terms-1" },
    });
    expect(accepted).toMatchObject({ status: 200, json: { account: "acme", version_id: "terms-1" } });
    scene.stores.balances.credit({ id: "opening", account: "acme", amount: 1_000_000_000n, reason: "test" });
    expect(await statusWith(scene, secret)).toBe(200);
  });

  it("is changed member by member, and null removes one", async () => {
    await using scene = await setScene();
    const { id } = await createKey(scene, { name: "shop", tags: ["eu"], features: [], dialects: ["chat"], scopes: [] });
    const body = { name: null, dialects: null, scopes: null, limits: { tokens: { limit: 10 } } };
    expect(await scene.ask("PATCH", `/keys/${id}`, { as: "operator", body })).toMatchObject({
      status: 200,
      json: {
        name: null,
        tags: ["eu"],
        features: [],
        dialects: null,
        scopes: null,
        limits: { tokens: { limit: 10, window_seconds: 60 } },
      },
    });
  });

  it.each([
    [{ dialects: ["chat", "mesages"] }, "dialects.1", 'not the string "mesages". Did you mean messages?'],
    [{ dialects: ["graphql"] }, "dialects.0", 'must be "chat" or "responses" or "messages" or "embeddings"'],
    [{ dialects: "chat" }, "dialects", 'must be an array of dialects, not the string "chat".'],
    [{ dialect: ["chat"] }, "dialect", "Did you mean dialects?"],
    [{ scopes: ["account:raed"] }, "scopes.0", 'not the string "account:raed". Did you mean account:read?'],
  ])("is not created or changed with %j", async (members, param, words) => {
    await using scene = await setScene();
    const refused = { status: 400, json: { error: { param, message: expect.stringContaining(words) } } };
    const body = { ...newKey, ...members };
    expect(await scene.ask("POST", "/keys", { as: "operator", body })).toMatchObject(refused);
    const { id } = await createKey(scene);
    expect(await scene.ask("PATCH", `/keys/${id}`, { as: "operator", body: members })).toMatchObject(refused);
  });

  it("ends by a revocation, whose date stays", async () => {
    await using scene = await setScene();
    const { id, secret } = await createKey(scene);
    const first = await scene.ask("POST", `/keys/${id}/revoke`, { as: "operator" });
    expect(first).toMatchObject({ status: 200, json: { state: "revoked" } });
    expect(await scene.ask("POST", `/keys/${id}/revoke`, { as: "operator" })).toMatchObject({ json: first.json });
    expect(await statusWith(scene, secret)).toBe(401);
    const audit = scene.stores.audit.list({ limit: 9, action: "key.revoke" });
    expect(audit).toMatchObject({ entries: [{ subject: `key:${id}` }] });
  });

  it("is rotated with a grace period, and not after its end", async () => {
    await using scene = await setScene();
    const { id } = await createKey(scene, { name: "shop" });
    const rotated = await scene.ask("POST", `/keys/${id}/rotate`, { as: "operator", body: { grace_seconds: 0 } });
    expect(rotated).toMatchObject({ status: 201, json: { key: { name: "shop", rotated_from: id, state: "active" } } });
    const again = await scene.ask("POST", `/keys/${id}/rotate`, { as: "operator", body: { grace_seconds: 0 } });
    expect(again).toMatchObject({ status: 409, json: { error: { code: "conflict" } } });
  });

  it("is found by its account, its state and a part of its name", async () => {
    await using scene = await setScene();
    const { id } = await createKey(scene, { name: "Web shop" });
    await createKey(scene, { account: "other", name: "Shop" });
    await scene.ask("POST", `/keys/${id}/revoke`);
    const names = async (query: string) => {
      const { json } = await scene.ask("GET", `/keys?${query}`);
      return Object(json).data.map((key: { name: string }) => key.name);
    };
    expect(await names("q=shop")).toEqual(["Web shop", "Shop"]);
    expect(await names("q=shop&state=revoked")).toEqual(["Web shop"]);
    expect(await names("account=other")).toEqual(["Shop"]);
  });

  it("that does not exist is 404", async () => {
    await using scene = await setScene();
    const missing = { status: 404, json: { error: { code: "resource_not_found" } } };
    expect(await scene.ask("GET", "/keys/none")).toMatchObject(missing);
    expect(await scene.ask("PATCH", "/keys/none", { body: {} })).toMatchObject(missing);
    expect(await scene.ask("POST", "/keys/none/revoke")).toMatchObject(missing);
    expect(await scene.ask("POST", "/keys/none/rotate", { body: { grace_seconds: 1 } })).toMatchObject(missing);
  });

  it("of the playground lasts five minutes, and is in the audit log without its secret", async () => {
    await using scene = await setScene();
    const { status, json } = await scene.ask("POST", "/playground/keys", { as: "operator", body: newKey });
    const { secret, expires_at } = Object(json);
    expect(status).toBe(201);
    const left = new Date(expires_at).getTime() - Date.now();
    expect(left).toBeGreaterThan(240_000);
    expect(left).toBeLessThanOrEqual(300_000);
    expect(await scene.stores.keys.find(secret)).toMatchObject({ account: "acme", tags: ["playground"] });
    const { text } = await scene.ask("GET", "/audit");
    expect(text).toContain("playground.key.created");
    expect(text).not.toContain(secret);
  });
});

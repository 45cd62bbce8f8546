import { portal } from "@tollgate/portal";
import { describe, expect, it } from "vitest";
import { memoryStores, sceneGateway } from "../management/scene.ts";
import { usageRow } from "../management/usage-row.ts";
import { authorize, setScene, storesOf } from "./scene.ts";

const nano = 1_000_000_000n;

describe("who may ask", () => {
  it("gets nothing as a stranger, and is sent to the login of the host from the page", async () => {
    await using scene = await setScene({ signInUrl: "/login?from=portal" });
    for (const path of ["/api/me", "/api/account", "/api/texts"]) {
      expect([path, (await scene.ask("GET", path, { as: null })).status]).toEqual([path, 401]);
    }
    const { status, headers } = await scene.ask("GET", "/keys?new=1", { as: null });
    expect([status, headers.get("location")]).toEqual([
      303,
      "/login?from=portal&return_to=%2Faccount%2Fkeys%3Fnew%3D1",
    ]);
  });

  it("gets 401 for the page where the host names no login", async () => {
    await using scene = await setScene();
    expect((await scene.ask("GET", "/", { as: null })).status).toBe(401);
    expect((await scene.ask("GET", "/")).status).toBe(200);
  });

  it("changes only what the login allows", async () => {
    await using scene = await setScene();
    const refused = await scene.ask("POST", "/api/keys", { as: "bob", body: {} });
    expect([refused.status, refused.json.error.code]).toEqual([403, "role_required"]);
    expect((await scene.ask("POST", "/api/terms", { as: "bob", body: { version_id: "terms-1" } })).status).toBe(403);
    expect((await scene.ask("GET", "/api/keys", { as: "bob" })).status).toBe(200);
  });

  it("changes nothing from a page of another site, nor by a form", async () => {
    await using scene = await setScene();
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }]) {
      expect((await scene.ask("POST", "/api/keys", { body: {}, headers })).status).toBe(403);
    }
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect((await scene.ask("POST", "/api/keys", { body: {}, headers: form })).status).toBe(415);
    expect((await scene.ask("GET", "/api/keys")).json.data).toEqual([]);
  });

  it("reads a frozen account, and changes nothing of it", async () => {
    await using scene = await setScene();
    await scene.stores.balances.freeze("acme", "suspected of fraud");
    const { status, text } = await scene.ask("POST", "/api/keys", { body: {} });
    expect([status, text.includes("frozen"), text.includes("fraud")]).toEqual([403, true, false]);
    expect((await scene.ask("GET", "/api/account")).json.frozen).toBe(true);
    expect((await scene.ask("POST", "/api/keys", { as: "eve", body: {} })).status).toBe(201);
  });
});

describe("the account", () => {
  it("shows its balance, what expires of it, and its spend limit", async () => {
    await using scene = await setScene();
    const { balances } = scene.stores;
    const expiresAt = new Date(Date.now() + 86_400_000);
    await balances.credit({ id: "1", account: "acme", amount: 5n * nano, reason: "Invoice 1" });
    await balances.credit({ id: "2", account: "acme", amount: nano, reason: "Gift", kind: "granted", expiresAt });
    await balances.limitSpend("acme", { limit: 20n * nano, window: "month" });
    const { json } = await scene.ask("GET", "/api/account");
    expect(json).toEqual({
      id: "acme",
      balance: {
        posted: "6",
        held: "0",
        available: "6",
        expiring: [{ amount: "1", expires_at: expiresAt.toISOString() }],
      },
      frozen: false,
      spend: expect.objectContaining({ limit: "20", window: "month", spent: "0" }),
    });
    const entries = await scene.ask("GET", "/api/entries");
    expect(entries.json.data.map(({ reason }) => reason)).toEqual(["Gift", "Invoice 1"]);
    expect((await scene.ask("GET", "/api/entries", { as: "eve" })).json.data).toEqual([]);
  });

  it("accepts the terms once, as the customer, in the audit log", async () => {
    await using scene = await setScene();
    const [version] = (await scene.ask("GET", "/api/terms")).json.data;
    expect(version).toMatchObject({ id: "terms-1", in_force: true, accepted_at: null });
    expect((await scene.ask("POST", "/api/terms", { body: { version_id: "other" } })).status).toBe(400);
    expect((await scene.ask("POST", "/api/terms", { body: { version_id: "terms-1" } })).status).toBe(200);
    expect((await scene.ask("GET", "/api/terms")).json.data[0]?.accepted_at).not.toBeNull();
    expect((await scene.ask("GET", "/api/terms", { as: "eve" })).json.data[0]?.accepted_at).toBeNull();
    const { entries } = await scene.stores.audit.list({ limit: 10 });
    expect(entries).toMatchObject([{ actor: "customer:acme/ann", action: "terms.accept", subject: "account:acme" }]);
  });
});

describe("usage and requests", () => {
  it("are those of the account alone, and tell nothing of upstreams and costs", async () => {
    await using scene = await setScene();
    await scene.stores.usage.record([
      usageRow({
        id: "own",
        requestId: "req_own",
        upstreamCost: 1n,
        tags: ["internal"],
        timeline: [{ step: "attempt", at: 1, detail: "secret-upstream" }],
      }),
      usageRow({ id: "foreign", requestId: "req_foreign", account: "globex" }),
    ]);
    const list = await scene.ask("GET", "/api/requests");
    expect(list.json.data.map(({ id }) => id)).toEqual(["own"]);
    const one = await scene.ask("GET", "/api/requests/own");
    expect(one.json).toMatchObject({ id: "own", cost: "0.05", entries: [] });
    const sums = await scene.ask("GET", "/api/usage?group_by=model");
    expect(sums.json.data).toMatchObject([{ group: "plain", requests: 1, cost: "0.05" }]);
    const csv = await scene.ask("GET", "/api/requests?format=csv");
    for (const { text } of [list, one, sums, csv]) {
      expect(text).not.toMatch(/upstream|margin|scripted|internal|globex|secret/);
    }
  });

  it("do not find the requests of others, whatever is asked for", async () => {
    await using scene = await setScene();
    await scene.stores.usage.record([usageRow({ id: "foreign", requestId: "req_foreign", account: "globex" })]);
    expect((await scene.ask("GET", "/api/requests/foreign")).status).toBe(404);
    expect((await scene.ask("GET", "/api/requests?any_id=req_foreign")).json.data).toEqual([]);
    expect((await scene.ask("GET", "/api/requests?account=globex")).status).toBe(400);
    expect((await scene.ask("GET", "/api/usage?account=globex")).status).toBe(400);
    expect((await scene.ask("GET", "/api/usage?group_by=account")).status).toBe(400);
  });
});

describe("the page", () => {
  it("gets the texts of the host", async () => {
    await using scene = await setScene({ texts: { pages: { keys: "Schlüssel" } } });
    expect((await scene.ask("GET", "/api/texts")).json).toEqual({ pages: { keys: "Schlüssel" } });
  });
});

describe("the options", () => {
  const stores = memoryStores();
  const common = { gateway: sceneGateway(stores), stores: storesOf(stores), authorize };

  it.each<[wrong: object, message: RegExp]>([
    [{ keys: { plan: "gold" } }, /`keys\.plan` names "gold".*prepaid, subscription, limited/s],
    [{ keys: { plan: "prepaid", most: 0 } }, /`keys\.most`/],
    [{ texts: { page: {} } }, /`texts\.page` is not a member.*Did you mean pages\?/s],
    [{ texts: { pages: { key: "x" } } }, /`texts\.pages\.key` is not a member.*Did you mean keys\?/s],
    [{ paymentUrl: "/pay" }, /`paymentUrl`.*Did you mean paymentsUrl\?/s],
  ])("%o are refused with what to write", (wrong, message) => {
    expect(() => portal({ ...common, ...wrong })).toThrow(message);
  });
});

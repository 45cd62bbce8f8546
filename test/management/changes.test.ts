import type { AuditLog } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { type Ask, authorizeTokens, memoryStores, type Scene, setScene } from "./scene.ts";

const newKey = { account: "acme", plan: "prepaid" };

/** Creates a key with other headers, by an operator that the host knows by a cookie. */
const setCookieScene = (origins?: readonly string[]): Promise<Scene> =>
  setScene({
    authorize: ({ headers }) =>
      headers.get("cookie") === "session=ada"
        ? { actor: "ada", role: "admin" }
        : new Response("Log in.", { status: 401 }),
    ...(origins === undefined ? {} : { origins }),
  });

const create = (scene: Scene, headers: Readonly<Record<string, string>>) =>
  scene.ask("POST", "/keys", { as: null, body: newKey, headers: { cookie: "session=ada", ...headers } });

describe("a change with a cookie", () => {
  it("passes from a page of the same origin", async () => {
    await using scene = await setCookieScene();
    const { host } = new URL(scene.url);
    expect(await create(scene, { "sec-fetch-site": "same-origin" })).toMatchObject({ status: 201 });
    expect(await create(scene, { origin: `http://${host}` })).toMatchObject({ status: 201 });
  });

  it.each([
    ["from no page", {}],
    ["from another site", { "sec-fetch-site": "cross-site" }],
    ["from another host of the site", { "sec-fetch-site": "same-site" }],
    ["typed into the address bar", { "sec-fetch-site": "none" }],
    ["from another origin", { origin: "https://evil.test" }],
    ["from an opaque origin", { origin: "null" }],
    ["from another site that names the own origin", { "sec-fetch-site": "cross-site", origin: "https://admin.test" }],
  ])("is refused %s, and changes nothing", async (_, headers) => {
    await using scene = await setCookieScene(["https://admin.test"]);
    expect(await create(scene, headers)).toMatchObject({ status: 403, json: { error: { code: "origin_refused" } } });
    expect(scene.stores.keys.list({ limit: 1 })).toEqual({ keys: [] });
    expect(scene.stores.audit.list({ limit: 1 })).toMatchObject({ entries: [] });
  });

  it("passes from a listed origin, without the header that newer browsers send", async () => {
    await using scene = await setCookieScene(["https://admin.test"]);
    expect(await create(scene, { origin: "https://admin.test" })).toMatchObject({ status: 201 });
    expect(await create(scene, { origin: "https://admin.test.evil" })).toMatchObject({ status: 403 });
  });

  it("is refused with a forged cookie by the host", async () => {
    await using scene = await setCookieScene();
    const forged = { cookie: "session=adb", "sec-fetch-site": "same-origin" };
    expect(await create(scene, forged)).toMatchObject({ status: 401, text: "Log in." });
  });
});

describe("the body of a change", () => {
  it.each<[string, Ask, object]>([
    ["a form", { body: "account=acme", headers: { "content-type": "text/plain" } }, { code: "unsupported_media_type" }],
    ["garbage", { body: "{" }, { code: "invalid_json" }],
    ["no object", { body: "[]" }, { code: "invalid_request" }],
    ["a repeated member", { body: '{"account":"acme","plan":"prepaid","pl\\u0061n":"other"}' }, { param: "plan" }],
    [
      "a repeated member of an inner object",
      { body: '{"account":"acme","plan":"prepaid","spend":{"limit":"1","window":"day","limit":"100"}}' },
      { param: "limit", message: "`limit` occurs more than once in an object. Send it once." },
    ],
    [
      "an unknown member",
      { body: { ...newKey, limts: {} } },
      { param: "limts", message: expect.stringContaining("Did you mean limits?") },
    ],
    [
      "an unknown member inside",
      { body: { ...newKey, limits: { tokens: { limit: 1, x: 1 } } } },
      { param: "limits.tokens.x" },
    ],
    ["a missing member", { body: { account: "acme" } }, { param: "plan" }],
    ["an unknown plan", { body: { account: "acme", plan: "gold" } }, { param: "plan" }],
    ["a date without a zone", { body: { ...newKey, expires_at: "2099-01-01T00:00:00" } }, { param: "expires_at" }],
    ["a day that does not exist", { body: { ...newKey, expires_at: "2099-13-01T00:00:00Z" } }, { param: "expires_at" }],
    ["a past end", { body: { ...newKey, expires_at: "2020-01-01T00:00:00Z" } }, { param: "expires_at" }],
    [
      "an unknown time zone",
      { body: { ...newKey, spend: { limit: "1", window: "day", timezone: "Mars" } } },
      { param: "spend.timezone" },
    ],
    ["an amount as a number", { body: { ...newKey, spend: { limit: 1, window: "day" } } }, { param: "spend.limit" }],
    ["an unknown parameter of the URL", { body: newKey }, { param: "dry" }],
  ])("is refused with %s", async (name, ask, error) => {
    await using scene = await setScene();
    const { status, json } = await scene.ask("POST", name.includes("URL") ? "/keys?dry=1" : "/keys", ask);
    expect([status, json]).toMatchObject([name === "a form" ? 415 : 400, { error }]);
    expect(scene.stores.keys.list({ limit: 1 })).toEqual({ keys: [] });
  });

  it("has at most 64 KiB", async () => {
    await using scene = await setScene();
    const body = { ...newKey, name: "x".repeat(65_536) };
    expect(await scene.ask("POST", "/keys", { body })).toMatchObject({ status: 413 });
  });
});

describe("the audit log", () => {
  const unavailable: AuditLog = {
    append: () => Promise.reject(new Error("disk full")),
    list: () => Promise.reject(new Error("disk full")),
  };

  it("has who did what, before and after, and no secret", async () => {
    await using scene = await setScene();
    const { json } = await scene.ask("POST", "/keys", { as: "operator", body: newKey });
    const { key, secret } = keyIn(json);
    await scene.ask("PATCH", `/keys/${key.id}`, { body: { name: "shop", tags: ["eu"] } });
    await scene.ask("POST", `/keys/${key.id}/revoke`);
    const { text, json: page } = await scene.ask("GET", `/audit?subject=key:${key.id}`, { as: "viewer" });
    expect(page).toMatchObject({
      data: [
        { actor: "ada", action: "key.revoke", before: { state: "active" }, after: { state: "revoked" } },
        { actor: "ada", action: "key.update", before: { name: null, tags: [] }, after: { name: "shop", tags: ["eu"] } },
        { actor: "otto", action: "key.created", before: null, after: { id: key.id, last_four: secret.slice(-4) } },
      ],
    });
    expect(text).not.toContain(secret);
  });

  it("refuses every change while it is unavailable, before it is made", async () => {
    const stores = { ...memoryStores(), audit: unavailable };
    await using scene = await setScene({ stores });
    const { key } = await stores.keys.create(newKey);
    const refused = { status: 503, json: { error: { code: "store_unavailable" } } };
    expect(await scene.ask("POST", "/keys", { body: newKey })).toMatchObject(refused);
    expect(await scene.ask("PATCH", `/keys/${key.id}`, { body: { name: "x" } })).toMatchObject(refused);
    expect(await scene.ask("POST", `/keys/${key.id}/rotate`, { body: { grace_seconds: 0 } })).toMatchObject(refused);
    expect(await scene.ask("POST", `/keys/${key.id}/revoke`)).toMatchObject(refused);
    expect(await scene.ask("POST", "/playground/keys", { body: newKey })).toMatchObject(refused);
    const credit = { amount: "1", reason: "x" };
    expect(await scene.ask("POST", "/accounts/acme/credits", { body: credit })).toMatchObject(refused);
    expect(stores.keys.list({ limit: 9 })).toEqual({ keys: [key] });
    expect(await stores.balances.balance("acme")).toMatchObject({ posted: 0n });
  });

  it("refuses every change when the host has none", async () => {
    const { audit, ...stores } = memoryStores();
    await using scene = await setScene({ stores });
    const answer = await scene.ask("POST", "/keys", { body: newKey });
    expect(answer).toMatchObject({ status: 404, json: { error: { code: "not_configured" } } });
    expect(answer.text).toContain("stores.audit");
    expect(audit.list({ limit: 1 })).toMatchObject({ entries: [] });
  });

  it("says which change failed after it was recorded", async () => {
    const stores = memoryStores();
    const keys = { ...stores.keys, list: stores.keys.list, get: stores.keys.get, update: stores.keys.update };
    const broken = { ...keys, create: () => Promise.reject(new Error("down")) };
    await using scene = await setScene({
      stores: { ...stores, keys: { ...broken, revoke: stores.keys.revoke, rotate: stores.keys.rotate } },
    });
    expect(await scene.ask("POST", "/keys", { body: newKey })).toMatchObject({ status: 503 });
    expect(stores.audit.list({ limit: 9 })).toMatchObject({
      entries: [{ action: "key.create.failed" }, { action: "key.create", subject: "account:acme" }],
    });
  });
});

function keyIn(json: unknown): { readonly key: { readonly id: string }; readonly secret: string } {
  const { key, secret } = Object(json);
  return { key, secret };
}

describe("tokens", () => {
  it("need no origin, which programs do not send", async () => {
    await using scene = await setScene({ authorize: authorizeTokens });
    const headers = { "sec-fetch-site": "cross-site", origin: "https://elsewhere.test" };
    expect(await scene.ask("POST", "/keys", { body: newKey, headers })).toMatchObject({ status: 201 });
  });
});

import { type NoticeSettings, type PortalNotices, portal } from "@tollgate/portal";
import { describe, expect, it } from "vitest";
import { memoryStores, sceneGateway } from "../management/scene.ts";
import { authorize, setScene, storesOf } from "./scene.ts";

const saved = { email: "ann@acme.test", types: ["spend.threshold", "balance.low"], thresholds: [80] };

/** A host that stores the settings in a Map. */
function memorySettings() {
  const stored = new Map<string, NoticeSettings>();
  const notices: PortalNotices = {
    find: (account) => stored.get(account),
    save: async (account, to) => void stored.set(account, to),
  };
  return { stored, notices };
}

describe("the settings of notices", () => {
  it("are those of the own account: nothing at first, and then what was saved, in the order of the choices", async () => {
    const { stored, notices } = memorySettings();
    await using scene = await setScene({ notices });
    expect((await scene.ask("GET", "/api/notices")).json).toMatchObject({ email: null, types: [], thresholds: [] });
    const body = { ...saved, types: ["balance.low", "spend.threshold", "balance.low"] };
    const put = await scene.ask("PUT", "/api/notices", { body });
    expect([put.status, put.json]).toMatchObject([200, { ...saved, offered: { thresholds: [50, 80, 100] } }]);
    expect((await scene.ask("GET", "/api/notices", { as: "bob" })).json).toMatchObject(saved);
    expect((await scene.ask("GET", "/api/notices", { as: "eve" })).json.email).toBeNull();
    expect((await scene.ask("PUT", "/api/notices?account=globex", { body })).status).toBe(400);
    expect((await scene.ask("PUT", "/api/notices", { body: { ...body, account: "globex" } })).status).toBe(400);
    expect([...stored]).toEqual([["acme", saved]]);
  });

  it("are not changed without the right, from another site, or by a form", async () => {
    const { stored, notices } = memorySettings();
    await using scene = await setScene({ notices });
    const put = async (parts: object) => (await scene.ask("PUT", "/api/notices", { body: saved, ...parts })).status;
    expect(await put({ as: null })).toBe(401);
    expect(await put({ as: "bob" })).toBe(403);
    expect(await put({ headers: { "sec-fetch-site": "cross-site" } })).toBe(403);
    expect(await put({ headers: { "content-type": "application/x-www-form-urlencoded" } })).toBe(415);
    expect(stored.size).toBe(0);
  });

  it.each<[wrong: object, param: string]>([
    [{ email: "ann" }, "email"],
    [{ email: "ann@acme.test\r\nbcc: eve@globex.test" }, "email"],
    [{ email: "ann@acme.test, eve@globex.test" }, "email"],
    [{ email: `${"a".repeat(250)}@acme.test` }, "email"],
    [{ email: "" }, "email"],
    [{ types: ["balance.lower"] }, "types.0"],
    [{ thresholds: [75] }, "thresholds"],
  ])("%o is refused, and the refusal repeats no address", async (wrong, param) => {
    const { stored, notices } = memorySettings();
    await using scene = await setScene({ notices });
    const { status, text, json } = await scene.ask("PUT", "/api/notices", { body: { ...saved, ...wrong } });
    expect([status, json.error.param]).toEqual([400, param]);
    expect(text).not.toMatch(/acme\.test|globex/);
    expect(stored.size).toBe(0);
  });

  it("are in the audit log and in events without the address", async () => {
    const events: unknown[] = [];
    await using scene = await setScene({
      notices: memorySettings().notices,
      observer: (event) => void events.push(event),
    });
    expect((await scene.ask("PUT", "/api/notices", { body: saved })).status).toBe(200);
    expect((await scene.ask("PUT", "/api/notices", { body: { ...saved, email: "ann@acme.test " } })).status).toBe(400);
    const { entries } = await scene.stores.audit.list({ limit: 10 });
    const { email: _, ...after } = saved;
    expect(entries).toMatchObject([
      { actor: "customer:acme/ann", action: "notices.save", subject: "account:acme", after },
    ]);
    expect(events.length).toBeGreaterThan(0);
    expect(JSON.stringify([entries, events], bigintText)).not.toContain("ann@");
  });

  it("are 503 while the storage of the host does not answer", async () => {
    const never = new Promise<undefined>(() => undefined);
    await using scene = await setScene({ notices: { find: () => never, save: () => never }, storeTimeoutMs: 20 });
    expect((await scene.ask("GET", "/api/notices")).status).toBe(503);
    expect((await scene.ask("PUT", "/api/notices", { body: saved })).status).toBe(503);
    const { entries } = await scene.stores.audit.list({ limit: 10 });
    expect(entries.map(({ action }) => action)).toEqual(["notices.save.failed", "notices.save"]);
  });

  it("show no choice that the host has stored and no longer offers", async () => {
    const find = () => ({ email: null, types: [], thresholds: [50, 75] });
    await using scene = await setScene({ notices: { find, save: () => undefined, thresholds: [90, 75, 90] } });
    const { json } = await scene.ask("GET", "/api/notices");
    expect(json).toMatchObject({ thresholds: [75], offered: { thresholds: [75, 90] } });
  });
});

describe("the page of notices", () => {
  it("is there with the option alone", async () => {
    await using without = await setScene();
    for (const path of ["/notices", "/api/notices"]) expect((await without.ask("GET", path)).status).toBe(404);
    expect((await without.ask("PUT", "/api/notices", { body: saved })).json.error.code).toBe("not_configured");
    expect((await without.ask("GET", "/api/me")).json.notices).toBe(false);
    await using scene = await setScene({ notices: memorySettings().notices });
    expect((await scene.ask("GET", "/notices")).status).toBe(200);
    expect((await scene.ask("GET", "/api/me")).json.notices).toBe(true);
  });

  it.each<[wrong: object, message: RegExp]>([
    [{ notices: { find: () => undefined } }, /`notices\.save`/],
    [{ notices: { find: "x", save: () => undefined } }, /`notices\.find` must be a function/],
    [{ notices: { ...memorySettings().notices, threshold: [50] } }, /`notices\.threshold` is not.*thresholds\?/s],
    [{ notices: { find: () => undefined, save: () => undefined, thresholds: [0] } }, /`notices\.thresholds\[0\]`/],
  ])("refuses %o", (wrong, message) => {
    const stores = memoryStores();
    const options = { gateway: sceneGateway(stores), stores: storesOf(stores), authorize };
    expect(() => portal({ ...options, ...wrong })).toThrow(message);
  });
});

const bigintText = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

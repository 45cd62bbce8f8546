import { describe, expect, it } from "vitest";
import { type Scene, setScene } from "./scene.ts";

/** A scene with the accounts "acme", "acme-2" and "other". */
async function setAccountScene(): Promise<Scene> {
  const scene = await setScene();
  for (const account of ["acme", "acme-2", "other"]) {
    scene.stores.balances.credit({ id: account, account, amount: 1_500_000_000n, reason: "test" });
  }
  return scene;
}

const limit = { limit: "10", window: "month", timezone: "Europe/Berlin" };

describe("accounts", () => {
  it("are listed by id with their balances, in pages and by prefix", async () => {
    await using scene = await setAccountScene();
    const first = await scene.ask("GET", "/accounts?prefix=acme&limit=1", { as: "viewer" });
    expect(first).toMatchObject({ json: { data: [{ id: "acme", posted: "1.5", held: "0", spend: null }] } });
    const { next } = Object(first.json);
    const second = await scene.ask("GET", `/accounts?prefix=acme&limit=1&cursor=${next}`);
    expect(second).toMatchObject({ json: { data: [{ id: "acme-2" }], next: null } });
  });

  it("show the terms that they accepted and the number of their keys", async () => {
    await using scene = await setAccountScene();
    await scene.ask("POST", "/keys", { body: { account: "acme", plan: "prepaid" } });
    const { json } = await scene.ask("GET", "/accounts/acme", { as: "viewer" });
    expect(json).toMatchObject({ id: "acme", available: "1.5", terms: [], keys: 1 });
  });

  it("with a key and without a balance exist, and others do not", async () => {
    await using scene = await setAccountScene();
    await scene.ask("POST", "/keys", { body: { account: "new", plan: "prepaid" } });
    expect(await scene.ask("GET", "/accounts/new")).toMatchObject({ json: { posted: "0", keys: 1 } });
    expect(await scene.ask("GET", "/accounts/none")).toMatchObject({ status: 404 });
  });

  it("of plans without billing are listed among those with balances, with their plans", async () => {
    await using scene = await setAccountScene();
    const { keys } = scene.stores;
    for (const account of ["acme-1", "new"]) await keys.create({ account, plan: "subscription" });
    await keys.create({ account: "acme", plan: "limited" });
    const rows: unknown[] = [];
    let cursor = "";
    do {
      const { json } = await scene.ask("GET", `/accounts?limit=2${cursor}`, { as: "viewer" });
      rows.push(...Object(json).data);
      cursor = Object(json).next === null ? "" : `&cursor=${Object(json).next}`;
    } while (cursor !== "" && rows.length < 10);
    expect(rows).toMatchObject([
      { id: "acme", plans: ["limited"], billed: true, posted: "1.5", spend: { limit: "5", source: "plan" } },
      { id: "acme-1", plans: ["subscription"], billed: false, posted: "0", spend: null },
      { id: "acme-2", plans: [], billed: true },
      { id: "new", plans: ["subscription"], billed: false },
      { id: "other", billed: true },
    ]);
    expect(await scene.ask("GET", "/accounts/new")).toMatchObject({ json: { billed: false, keys: 1 } });
  });

  it("have a spend limit of their own, which an admin sets and removes", async () => {
    await using scene = await setAccountScene();
    const set = await scene.ask("PUT", "/accounts/acme/spend-limit", { body: limit });
    const spend = { ...limit, spent: "0", resets_at: expect.stringMatching(/T2[23]:00:00.000Z$/), source: "own" };
    expect(set).toMatchObject({ status: 200, json: { id: "acme", spend } });
    expect(await scene.ask("GET", "/accounts")).toMatchObject({ json: { data: [{ spend }, { spend: null }, {}] } });
    const removed = await scene.ask("DELETE", "/accounts/acme/spend-limit");
    expect(removed).toMatchObject({ status: 200, json: { spend: null } });
    expect(await scene.ask("GET", "/audit?subject=account:acme")).toMatchObject({
      json: {
        data: [
          { action: "account.spend_limit.remove", before: limit, after: null },
          { action: "account.spend_limit.set", before: null, after: limit },
        ],
      },
    });
  });

  it("have the default of their plan, until they have their own", async () => {
    await using scene = await setAccountScene();
    await scene.ask("POST", "/keys", { body: { account: "acme", plan: "limited" } });
    const ofPlan = { limit: "5", window: "day", timezone: "UTC", spent: "0", source: "plan" };
    expect(await scene.ask("GET", "/accounts/acme")).toMatchObject({ json: { spend: ofPlan } });
    await scene.ask("PUT", "/accounts/acme/spend-limit", { body: limit });
    expect(await scene.ask("GET", "/accounts/acme")).toMatchObject({ json: { spend: { limit: "10", source: "own" } } });
    const removed = await scene.ask("DELETE", "/accounts/acme/spend-limit");
    expect(removed).toMatchObject({ json: { spend: ofPlan } });
  });

  it("keep their limit when another is invalid", async () => {
    await using scene = await setAccountScene();
    const body = { ...limit, window: "year" };
    expect(await scene.ask("PUT", "/accounts/acme/spend-limit", { body })).toMatchObject({
      status: 400,
      json: { error: { param: "window" } },
    });
  });
});

describe("acceptances of the terms", () => {
  it("are recorded for a known version, and listed by account and version", async () => {
    await using scene = await setScene();
    for (const account of ["b", "a"]) {
      await scene.ask("POST", `/accounts/${account}/terms`, { as: "operator", body: { version_id: "terms-1" } });
    }
    const unknown = await scene.ask("POST", "/accounts/a/terms", { body: { version_id: "terms-9" } });
    expect(unknown).toMatchObject({ status: 400, json: { error: { param: "version_id" } } });
    const first = await scene.ask("GET", "/terms/acceptances?version_id=terms-1&limit=1", { as: "viewer" });
    expect(first).toMatchObject({ json: { data: [{ account: "a", version_id: "terms-1" }] } });
    const { next } = Object(first.json);
    const second = await scene.ask("GET", `/terms/acceptances?version_id=terms-1&limit=1&cursor=${next}`);
    expect(second).toMatchObject({ json: { data: [{ account: "b" }], next: null } });
  });
});

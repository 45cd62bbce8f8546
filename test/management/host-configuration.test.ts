import { describe, expect, it } from "vitest";
import { setScene } from "./scene.ts";
import { usageRow } from "./usage-row.ts";

describe("what the host has configured", () => {
  it("is in `me`, with the operator", async () => {
    await using scene = await setScene({ currency: "EUR", routerUrl: "/router/v1" });
    expect(await scene.ask("GET", "/me", { as: "operator" })).toMatchObject({
      json: { actor: "otto", role: "operator", currency: "EUR", router_url: "/router/v1", sessions_url: null },
    });
  });

  it("shows models by their ids, also with slashes", async () => {
    await using scene = await setScene();
    const { json } = await scene.ask("GET", "/models/org%2Flarge");
    expect(json).toMatchObject({
      id: "org/large",
      price: { input: "1", output: "2", request: "0" },
      targets: [{ provider: "scripted", upstream_model: "upstream-model", breaker: "closed", attempts_24h: 0 }],
    });
    expect(await scene.ask("GET", "/models/none")).toMatchObject({ status: 404 });
    expect(await scene.ask("GET", "/models")).toMatchObject({ json: { data: [{ id: "plain" }, { id: "org/large" }] } });
  });

  it("counts the requests of a model and of its target in the last day", async () => {
    await using scene = await setScene();
    scene.stores.usage.record([
      usageRow({ status: 200, durationMs: 100 }),
      usageRow({ status: 502, durationMs: 900 }),
      usageRow({ status: 429, durationMs: 90, attempts: 0 }),
      usageRow({ status: 400, durationMs: 90, ending: "upstream_failed" }),
      usageRow({ at: new Date(Date.now() - 2 * 86_400_000) }),
      usageRow({ model: "org/large" }),
    ]);
    const { json } = await scene.ask("GET", "/models/plain");
    expect(json).toMatchObject({
      requests_24h: 4,
      error_share_24h: 0.25,
      refusal_share_24h: 0.5,
      targets: [{ attempts_24h: 4, answered_24h: 4, failed_attempts_24h: {}, error_share_24h: 0 }],
    });
    const { p50_ms_24h, p95_ms_24h } = Object(json);
    expect([p50_ms_24h > 50 && p50_ms_24h <= 100, p95_ms_24h > 750 && p95_ms_24h <= 1_000]).toEqual([true, true]);
  });

  it("shows plans and the versions of the terms", async () => {
    await using scene = await setScene();
    expect(await scene.ask("GET", "/plans")).toMatchObject({
      json: {
        data: [
          { id: "prepaid", billing: "prepaid", features: null, dialects: null, spend: null },
          { id: "subscription", billing: "none", spend: null },
          { id: "limited", dialects: ["chat"], spend: { limit: "5", window: "day", timezone: "UTC" } },
        ],
      },
    });
    expect(await scene.ask("GET", "/terms")).toMatchObject({
      json: { in_force: "terms-1", data: [{ id: "terms-1", enforcement_at: null }] },
    });
  });

  it("shows assistants without their secrets, and runs them dry", async () => {
    await using scene = await setScene();
    const shown = await scene.ask("GET", "/assistants/support", { as: "viewer" });
    expect(shown).toMatchObject({ json: { id: "support", triggers: [{ name: "find_order" }] } });
    const session = { client_data: { customer: "Ann" } };
    const body = { trigger: "find_order", arguments: { number: 12_345_678_901_234 }, session };
    const dry = await scene.ask("POST", "/assistants/support/dry-run", { as: "operator", body });
    expect(dry).toMatchObject({
      status: 200,
      json: {
        outcome: "rendered",
        request: {
          method: "POST",
          url: "https://shop.test/orders/12345678901234",
          headers: [{ key: "authorization", value: "[redacted]" }],
          body: '{"customer":"Ann"}',
        },
        target: { allowed: false },
      },
    });
    expect(shown.text + dry.text).not.toContain("canary");
    const refused = await scene.ask("POST", "/assistants/support/dry-run", { body: { ...body, arguments: {} } });
    expect(refused).toMatchObject({ json: { outcome: "refused", error: { code: "invalid_arguments" } } });
  });

  it("answers a dry run of an unknown assistant, trigger and conversation", async () => {
    await using scene = await setScene();
    const body = { trigger: "find_order", arguments: { number: 1 } };
    expect(await scene.ask("POST", "/assistants/none/dry-run", { body })).toMatchObject({ status: 404 });
    const path = "/assistants/support/dry-run";
    const unknown = await scene.ask("POST", path, { body: { ...body, trigger: "none" } });
    expect(unknown).toMatchObject({ status: 400, json: { error: { param: "trigger" } } });
    const session = { id: crypto.randomUUID() };
    expect(await scene.ask("POST", path, { body: { ...body, session } })).toMatchObject({ status: 404 });
  });

  it("shows the health of each store, and of the gateway", async () => {
    await using scene = await setScene();
    const { json } = await scene.ask("GET", "/health");
    expect(json).toMatchObject({ status: "ok", in_flight: 0, settlements_waiting: 0 });
    expect(Object(json).stores.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok])).toEqual(
      ["keys", "accounts", "balances", "terms", "usage", "sessions", "content", "payments", "audit"].map((name) => [
        name,
        true,
      ]),
    );
    await scene.gateway.drain();
    expect(await scene.ask("GET", "/health")).toMatchObject({ json: { status: "draining" } });
  });

  it("shows what else needs a person, and that it could not be read", async () => {
    await using scene = await setScene({ problems: async () => ["A payment is held."] });
    expect(await scene.ask("GET", "/health")).toMatchObject({ json: { problems: ["A payment is held."] } });
    await using failing = await setScene({ problems: () => Promise.reject(new Error("db.internal")) });
    const { json, text } = await failing.ask("GET", "/health");
    expect(Object(json).problems).toHaveLength(1);
    expect(text).not.toContain("db.internal");
  });

  it("is degraded while a store fails, without its error", async () => {
    const audit = {
      append: () => Promise.reject(new Error("x")),
      list: () => Promise.reject(new Error("db.internal")),
    };
    await using scene = await setScene({ stores: { audit } });
    const { json, text } = await scene.ask("GET", "/health");
    expect(json).toMatchObject({ status: "degraded", stores: [{ name: "audit", ok: false }] });
    expect(text).not.toContain("db.internal");
  });
});

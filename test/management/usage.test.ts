import type { ChargeReceipt } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { type Scene, setScene } from "./scene.ts";
import { usageRow } from "./usage-row.ts";

const noPrices = { input: 0n, cachedInput: 0n, cacheWrite5m: 0n, cacheWrite1h: 0n, output: 0n, request: 0n };
const chargeReceipt: ChargeReceipt = {
  provider: "scripted",
  upstreamModel: "upstream-model",
  tokens: usageRow().tokens,
  basis: "reported",
  prices: noPrices,
  durationMs: 5,
  status: "complete",
};
const day = (number: number): Date => new Date(Date.UTC(2026, 0, number, 12));
const january = "from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z";

function recordUsage({ stores }: Scene): void {
  stores.usage.record([
    usageRow({ at: day(1), cost: 3_000_000_000n, upstreamCost: 1_000_000_000n, firstContentMs: 40 }),
    usageRow({ at: day(2), model: "org/large", cost: 2_000_000_000n, keyId: "key_2", tags: ["eu"], endUser: "u1" }),
    usageRow({ at: day(2), model: "org/large", status: 429, errorCode: "rate_limit_exceeded", cost: 0n }),
  ]);
}

describe("usage", () => {
  it("is summed by bucket and group", async () => {
    await using scene = await setScene();
    recordUsage(scene);
    const { json } = await scene.ask("GET", `/usage?${january}&bucket=day&group_by=model`, { as: "viewer" });
    expect(json).toMatchObject({
      from: "2026-01-01T00:00:00.000Z",
      bucket: "day",
      group_by: "model",
      data: [
        { start: "2026-01-01T00:00:00.000Z", group: "plain", requests: 1, cost: "3", upstream_cost: "1", margin: "2" },
        {
          start: "2026-01-02T00:00:00.000Z",
          group: "org/large",
          requests: 2,
          failed: 0,
          refused: 1,
          cost: "2",
          margin: null,
        },
      ],
    });
  });

  it("is the last seven days without a period", async () => {
    await using scene = await setScene();
    recordUsage(scene);
    scene.stores.usage.record([usageRow({ at: new Date(Date.now() - 60_000) })]);
    const { json } = await scene.ask("GET", "/usage?bucket=all");
    expect(json).toMatchObject({ data: [{ requests: 1, p50_ms: expect.any(Number) }] });
    const { from, to } = Object(json);
    expect(new Date(to).getTime() - new Date(from).getTime()).toBe(7 * 86_400_000);
  });

  it.each([
    ["model=plain", 1],
    ["account=acme", 3],
    ["key=key_2", 1],
    ["target=scripted/upstream-model", 3],
    ["status=429", 1],
    ["refused=true", 1],
    ["failed=true&refused=true", 1],
    ["tag=eu", 1],
    ["end_user=u1", 1],
    ["dialect=chat", 3],
  ])("is filtered by %s, and the requests too", async (filter, count) => {
    await using scene = await setScene();
    recordUsage(scene);
    const { json } = await scene.ask("GET", `/usage?${january}&bucket=all&${filter}`);
    expect(json).toMatchObject({ data: [{ requests: count }] });
    const requests = await scene.ask("GET", `/requests?${january}&${filter}`);
    expect(Object(requests.json).data).toHaveLength(count);
  });
});

describe("requests", () => {
  it("are newest first, in a period whose end is not included", async () => {
    await using scene = await setScene();
    recordUsage(scene);
    const { json } = await scene.ask("GET", "/requests?from=2026-01-01T00:00:00Z&to=2026-01-02T12:00:00Z");
    expect(json).toMatchObject({
      data: [{ at: "2026-01-01T12:00:00.000Z", cost: "3", first_content_ms: 40 }],
      next: null,
    });
  });

  it("have the receipt of their charge", async () => {
    await using scene = await setScene();
    const { balances, usage } = scene.stores;
    balances.credit({ id: "opening", account: "acme", amount: 10n, reason: "test" });
    const ids = ["hold-1", "hold-2"];
    for (const id of ids) {
      const receipt = { requestId: id, model: "plain", dialect: "chat" as const };
      const unlimited = { leaseMs: 1_000, terms: [], spend: {}, notices: undefined };
      balances.hold({ id, account: "acme", keyId: "key_1", amount: 2n, receipt, ...unlimited });
      balances.settle({ id, account: "acme" }, 1n, chargeReceipt);
    }
    const row = usageRow({ holdId: "hold-2", cost: 1n });
    usage.record([row]);
    const { json } = await scene.ask("GET", `/requests/${row.id}`, { as: "viewer" });
    expect(Object(json).entries).toMatchObject([
      { kind: "charge", amount: "-0.000000001", reference: "hold-2", receipt: { request_id: "hold-2" } },
    ]);
    expect(Object(json).entries).toHaveLength(1);
  });

  it("have their content for an operator, and not for a viewer", async () => {
    await using scene = await setScene();
    const row = usageRow({ timeline: [{ step: "admitted", at: 0 }] });
    scene.stores.usage.record([row]);
    const { id, at, account, keyId } = row;
    const content = { request: { messages: ["secret prompt"] }, response: null };
    await scene.stores.content.record([{ id, at, account, keyId, model: "plain", ...content }]);
    const shown = await scene.ask("GET", `/requests/${id}`, { as: "operator" });
    expect(shown).toMatchObject({ json: { id, timeline: [{ step: "admitted", detail: null }], content } });
    const hidden = await scene.ask("GET", `/requests/${id}`, { as: "viewer" });
    expect(hidden).toMatchObject({ status: 200, json: { id, content: null } });
    expect(hidden.text).not.toContain("secret prompt");
    expect(await scene.ask("GET", `/requests/${crypto.randomUUID()}`)).toMatchObject({ status: 404 });
  });
});

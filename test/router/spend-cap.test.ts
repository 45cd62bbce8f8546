import { type GatewayOptions, memoryUsageStore, type SpendCapOptions } from "@tollgate/core";
import type { UsageRow, UsageStore } from "@tollgate/core/store";
import { afterEach, describe, expect, it, vi } from "vitest";
import { usageRow } from "../management/usage-row.ts";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";

afterEach(() => void vi.useRealTimers());

const cost = { input: "10", output: "10" };
/** What a call of these tests costs the host: 100 tokens at 10 per million. */
const each = 1_000_000n;
const noon = new Date("2126-05-05T12:00:00Z");

function capped(usage: UsageStore, spend: Partial<SpendCapOptions> = {}, options: Partial<GatewayOptions> = {}) {
  const called = { prompt_tokens: 60, completion_tokens: 40, total_tokens: 100 };
  const provider = scriptedProvider({ complete: async () => completionOf("Hi", called) });
  const targets = [{ provider, model: "upstream-model", cost }];
  return gatewayUnderTest({
    models: [{ id: "plain", maxOutputTokens: 1_000, price: { input: "1", output: "2" }, targets }],
    usage: { store: usage },
    spend: { limit: "0.004", window: "day", stop: true, ...spend },
    ...options,
  });
}

const statusesOf = async (tested: GatewayUnderTest, calls: number) => {
  const secret = await tested.key({ plan: "subscription" });
  const statuses: number[] = [];
  for (let at = 0; at < calls; at += 1) statuses.push((await tested.chat(secret)).status);
  return statuses;
};
const reached = ({ events }: GatewayUnderTest) =>
  events.flatMap((event) => (event.type === "spend.reached" ? [[event.threshold, event.spent, event.stopped]] : []));

describe("a cap of what the host pays", () => {
  it("is reported at three shares and then stops calls of every plan until the window ends", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: noon });
    const tested = capped(memoryUsageStore());
    const secret = await tested.key({ plan: "subscription" });
    expect(await statusesOf(tested, 4)).toEqual([200, 200, 200, 200]);
    expect(reached(tested)).toEqual([
      [50, 2n * each, false],
      [80, 4n * each, false],
      [100, 4n * each, true],
    ]);
    const refused = await tested.chat(secret);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, String(12 * 3_600)]);
    expect((await refused.json()).error).toMatchObject({
      code: "over_capacity",
      message:
        "This service has used up what its operator set for the present day. Try again after 2126-05-06T00:00:00.000Z.",
    });
    expect((await tested.chat(await tested.key())).status).toBe(503);
    expect((await tested.models(secret)).status).toBe(200);
    expect(tested.gateway.inspect().spend).toMatchObject({ spent: 4n * each, stops: true });
    vi.setSystemTime(new Date("2126-05-06T00:00:00Z"));
    expect(await statusesOf(tested, 2)).toEqual([200, 200]);
    expect(reached(tested)).toHaveLength(4);
    expect(tested.gateway.inspect().spend).toMatchObject({ spent: 2n * each });
  });

  it("stops nothing without `stop`", async () => {
    const tested = capped(memoryUsageStore(), { stop: false });
    expect(await statusesOf(tested, 5)).toEqual([200, 200, 200, 200, 200]);
    expect(reached(tested).at(-1)).toEqual([100, 4n * each, false]);
  });

  it("holds after a restart, from the first call on", async () => {
    const usage = memoryUsageStore();
    const first = capped(usage);
    await statusesOf(first, 4);
    await first.gateway.drain();
    const second = capped(usage);
    expect(await statusesOf(second, 2)).toEqual([503, 503]);
    expect(second.provider.calls).toHaveLength(0);
    expect(reached(second).map(([threshold]) => threshold)).toEqual([50, 80, 100]);
  });

  it("counts the present window of its time zone alone, and only what is paid for", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: noon });
    const usage = memoryUsageStore();
    const row = (at: string, members: Partial<UsageRow> = {}) =>
      usageRow({ at: new Date(at), upstreamCost: 3n * each, ...members });
    const { upstreamCost: _, ...unpaid } = row("2126-05-05T11:00:00Z");
    usage.record([row("2126-05-04T14:59:59Z"), row("2126-05-04T15:00:00Z"), { ...unpaid, id: crypto.randomUUID() }]);
    const tested = capped(usage, { timezone: "Asia/Tokyo" });
    expect(await statusesOf(tested, 2)).toEqual([200, 503]);
    const refused = await tested.chat(await tested.key());
    expect(refused.headers.get("retry-after")).toBe(String(3 * 3_600));
  });

  it("sees what other processes spend within seconds, and counts nothing twice", async () => {
    vi.useFakeTimers({ now: noon, toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const usage = memoryUsageStore();
    const [one, other] = [capped(usage, { limit: "0.006" }), capped(usage, { limit: "0.006" })];
    await Promise.all([statusesOf(one, 1), statusesOf(other, 1)]);
    expect(await statusesOf(one, 2)).toEqual([200, 200]);
    expect(await statusesOf(other, 2)).toEqual([200, 200]);
    expect(one.gateway.inspect().spend?.spent).toBe(3n * each);
    await vi.advanceTimersByTimeAsync(7_000);
    for (const { gateway } of [one, other]) expect(gateway.inspect().spend?.spent).toBe(6n * each);
    expect([await statusesOf(one, 1), await statusesOf(other, 1)]).toEqual([[503], [503]]);
    await vi.advanceTimersByTimeAsync(60_000);
    for (const { gateway } of [one, other]) expect(gateway.inspect().spend?.spent).toBe(6n * each);
  });

  it("counts what this process knows while the store of usage is down", async () => {
    const usage = memoryUsageStore();
    const broken: UsageStore = Object.assign(Object.create(usage), {
      summary: async () => {
        throw new Error("connection lost");
      },
    });
    const tested = capped(broken);
    expect(await statusesOf(tested, 5)).toEqual([200, 200, 200, 200, 503]);
    const [failed] = tested.events.filter((event) => event.type === "heartbeat.failed");
    expect(failed).toMatchObject({ part: "spend", cause: { message: "connection lost" } });
  });

  it("needs usage, and targets with a cost", () => {
    const spend = { limit: "1", window: "day" } as const;
    expect(() => gatewayUnderTest({ spend })).toThrow("`spend` counts the upstream cost that `usage` records.");
    expect(() => gatewayUnderTest({ spend, usage: { store: memoryUsageStore() } })).toThrow(
      "`spend` counts the `cost` of targets, and no target has one.",
    );
    expect(() => capped(memoryUsageStore(), { limit: "0.0" })).toThrow("`spend.limit` is 0");
  });
});

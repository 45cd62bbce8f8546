import { memoryUsageStore } from "@tollgate/core";
import type { UsageStore } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf } from "../support/scripted-provider.ts";

/** A gateway whose usage store is replaced. */
function recordingTo(overrides: Partial<UsageStore>) {
  const sound = memoryUsageStore();
  const store: UsageStore = {
    record: (rows) => sound.record(rows),
    summary: (query) => sound.summary(query),
    attempts: (query) => sound.attempts(query),
    list: (query) => sound.list(query),
    prune: (before) => sound.prune(before),
    forget: (query) => sound.forget(query),
    ...overrides,
  };
  const tested = gatewayUnderTest({ usage: { store }, storeTimeoutMs: 50 });
  tested.provider.script = { complete: async () => completionOf("Hi") };
  return { ...tested, sound };
}

const outages: Readonly<Record<string, UsageStore["record"]>> = {
  throws: () => {
    throw new Error("broken");
  },
  rejects: () => Promise.reject(new Error("down")),
  "never answers": () => new Promise(() => undefined),
};

describe("a usage store that fails", () => {
  it.each(Object.entries(outages))("costs no request anything when it %s", async (_, record) => {
    const { chat, key, gateway, events } = recordingTo({ record });
    const secret = await key();
    for (let count = 0; count < 5; count++) expect((await chat(secret)).status).toBe(200);
    await gateway.drain({ timeoutMs: 100 });
    expect(events).toContainEqual(
      expect.objectContaining({ type: "drain.incomplete", requests: 0, settlements: 0, usageRows: 5 }),
    );
  });

  it("gets its rows when it is back, at the latest with the drain", async () => {
    let failures = 2;
    const { chat, key, gateway, events, sound } = recordingTo({
      record: (rows) => {
        if (failures-- > 0) throw new Error("down");
        return sound.record(rows);
      },
    });
    const secret = await key();
    await Promise.all(Array.from({ length: 20 }, () => chat(secret)));
    await gateway.drain();
    expect((await sound.list({ limit: 100 })).rows).toHaveLength(20);
    expect(events.filter(({ type }) => type === "usage.delayed")).toHaveLength(2);
    expect(events.map(({ type }) => type)).not.toContain("drain.incomplete");
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { NewSession, SessionRef, SessionStore } from "../ports/session-store.ts";
import type { WebhookLog } from "../ports/webhook-log.ts";
import type { ChatMessage } from "../wire/chat-completion-request.ts";
import { memorySessionStore } from "./memory-session-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a session store in memory", () => {
  it("keeps the newest 200 logs of a session, and their positions", async () => {
    const store = memorySessionStore();
    const ref = await made(store, "s");
    for (let at = 1; at <= 250; at++) await store.appendLog(ref, log(ref, `t${at}`));
    const { logs = [], next } = { ...(await store.logs(ref, { limit: 1_000 })) };
    expect(logs.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 200 }, (_, at) => 250 - at));
    expect([logs[0]?.log.trigger, logs.at(-1)?.log.trigger, next]).toEqual(["t250", "t51", undefined]);
  });

  it("keeps whole turns of the newest 10,000 messages of a session, and every image", async () => {
    const store = memorySessionStore();
    const ref = await made(store, "s");
    for (let at = 0; at < 4; at++) await turn(store, ref, 3_000, `https://images.example/${at}`);
    const page = await store.messages(ref, { limit: 20_000 });
    expect([page?.messages.length, page?.messages[0]?.sequence, page?.next]).toEqual([9_000, 3_001, undefined]);
    const start = await store.beginTurn(ref, { turnId: "t", leaseMs: 1, historyLimit: 20_000 });
    if (start.outcome !== "begun") throw new Error(start.outcome);
    expect([start.messages.length, start.images.length]).toEqual([9_000, 4]);
  });

  it("keeps the 10,000 most recently used sessions", async () => {
    const store = memorySessionStore();
    const [used, unused] = [await made(store, "used"), await made(store, "unused")];
    for (let at = 0; at < 9_998; at++) await made(store, `s${at}`);
    await store.merge(used, [["a", 1]]);
    await store.find(unused);
    await made(store, "one more");
    expect((await store.find(used))?.id).toBe("used");
    expect(await store.find(unused)).toBeUndefined();
    expect((await store.find({ id: "s0", account: "a" }))?.id).toBe("s0");
  });

  it("stores more images in one turn than a function call can have arguments", async () => {
    const store = memorySessionStore();
    const ref = await made(store, "s");
    const images = Array.from({ length: 300_000 }, () => "");
    await store.beginTurn(ref, { turnId: "t", leaseMs: 1_000, historyLimit: 1 });
    expect(await store.endTurn(ref, { turnId: "t", messages: [], images })).toBe(true);
  });

  it("expires a session and a lease in their exact millisecond", async () => {
    const store = memorySessionStore();
    const ref = await made(store, "s", { ttlMs: 1_000 });
    await store.beginTurn(ref, { turnId: "first", leaseMs: 500, historyLimit: 1 });
    const next = async () => (await store.beginTurn(ref, { turnId: "next", leaseMs: 500, historyLimit: 1 })).outcome;
    vi.advanceTimersByTime(499);
    expect(await next()).toBe("busy");
    vi.advanceTimersByTime(1);
    expect(await next()).toBe("begun");
    vi.advanceTimersByTime(999);
    expect((await store.find(ref))?.id).toBe("s");
    vi.advanceTimersByTime(1);
    expect(await store.find(ref)).toBeUndefined();
    expect(await store.expire()).toBe(1);
  });

  it("rejects a limit that is not a whole number", async () => {
    const store = memorySessionStore();
    const ref = await made(store, "s");
    for (const limit of [0, -1, 1.5, Number.NaN]) {
      expect(() => store.messages(ref, { limit })).toThrow(/limit must be a whole number of at least 1/);
      expect(() => store.logs(ref, { limit })).toThrow(/limit must be a whole number of at least 1/);
    }
    const begin = () => store.beginTurn(ref, { turnId: "t", leaseMs: 1, historyLimit: -1 });
    expect(begin).toThrow(/historyLimit must be a whole number of at least 0/);
  });
});

async function made(store: SessionStore, id: string, more: Partial<NewSession> = {}): Promise<SessionRef> {
  const wanted = { id, account: "a", assistantId: "x", clientData: {}, ttlMs: 3_600_000, ...more };
  expect((await store.create(wanted)).outcome).toBe("created");
  return wanted;
}

async function turn(store: SessionStore, ref: SessionRef, count: number, image: string): Promise<void> {
  const messages = Array.from({ length: count }, (): ChatMessage => ({ role: "user", content: "x" }));
  await store.beginTurn(ref, { turnId: "t", leaseMs: 1_000, historyLimit: 1 });
  await store.endTurn(ref, { turnId: "t", messages, images: [image] });
}

function log({ id }: SessionRef, trigger: string): WebhookLog {
  return {
    id: "call",
    session_id: id,
    trigger,
    tool_call_id: "call_1",
    started_at: "2026-01-02T03:04:05.678Z",
    duration_ms: 1,
    attempts: [],
    request: null,
    response: null,
    variables: [],
    outcome: "not_sent",
    error: null,
    merged_keys: [],
    warnings: [],
  };
}

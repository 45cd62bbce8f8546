import { memoryLimiter } from "@tollgate/core";
import type { KeyStore } from "@tollgate/core/store";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type GatewayUnderTest, gatewayUnderTest } from "../support/gateway-under-test.ts";

const url = "http://gateway.test/router/v1/models";
const address = "192.0.2.1";

/** A gateway whose key lookups are counted. */
function guarded(maxFailedKeysPerMinute: number, limiter = memoryLimiter()) {
  const tested = gatewayUnderTest();
  const { keys } = tested;
  const find = vi.fn((presented: string) => keys.find(presented));
  let forget: (keyId: undefined) => void = () => undefined;
  const onChange: KeyStore["onChange"] = (listener) => {
    forget = listener;
    return () => undefined;
  };
  const gateway = gatewayUnderTest({
    maxFailedKeysPerMinute,
    limiter,
    keys: { find, get: (keyId) => keys.get(keyId), onChange },
  });
  return { tested, find, gateway, forgetKeys: () => forget(undefined) };
}

async function ask({ gateway }: GatewayUnderTest, secret: string, clientAddress = address): Promise<Response> {
  return gateway.fetch(new Request(url, { headers: { authorization: `Bearer ${secret}` } }), { clientAddress });
}

let guessed = 0;
const guess = (gateway: GatewayUnderTest, clientAddress?: string) => ask(gateway, `guess-${guessed++}`, clientAddress);

async function statusesOf(answers: readonly Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("an address whose keys fail", () => {
  it("has five unknown keys per second looked up beyond the limit; the rest get 429 with Retry-After 1", async () => {
    const { find, gateway } = guarded(10);
    for (let n = 0; n < 10; n++) expect((await guess(gateway)).status).toBe(401);
    for (let second = 0; second < 3; second++) {
      find.mockClear();
      expect(await statusesOf(Array.from({ length: 50 }, () => guess(gateway)))).toEqual({ 401: 5, 429: 45 });
      expect(find).toHaveBeenCalledTimes(5);
      vi.advanceTimersByTime(1_000);
    }
    await statusesOf(Array.from({ length: 5 }, () => guess(gateway)));
    const refused = await guess(gateway);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await refused.json()).error).toMatchObject({
      code: "rate_limit_exceeded",
      metadata: { limit: "requests" },
    });
  });

  it("causes no more lookups if all requests arrive at once", async () => {
    const { find, gateway } = guarded(10);
    expect(await statusesOf(Array.from({ length: 700 }, () => guess(gateway)))).toEqual({ 401: 15, 429: 685 });
    expect(find).toHaveBeenCalledTimes(15);
  });

  it("gets 429, without a lookup, for a valid key that this process has not seen", async () => {
    const { tested, find, gateway } = guarded(10);
    const secret = await tested.key();
    for (let n = 0; n < 717; n++) await guess(gateway);
    expect((await ask(gateway, secret)).status).toBe(429);
    expect(find).not.toHaveBeenCalledWith(secret);
    vi.advanceTimersByTime(1_000);
    // Another client whose key this process has not seen yet is looked up in the next second.
    expect((await ask(gateway, secret)).status).toBe(200);
  });

  it("may still use keys that were valid within a day, even if they are no longer cached", async () => {
    const { tested, find, gateway, forgetKeys } = guarded(10);
    const secret = await tested.key();
    expect((await ask(gateway, secret)).status).toBe(200);
    vi.advanceTimersByTime(23 * 3_600_000);
    for (let n = 0; n < 100; n++) await guess(gateway);
    expect((await guess(gateway)).status).toBe(429);
    find.mockClear();
    for (let n = 0; n < 10; n++) {
      forgetKeys();
      expect((await ask(gateway, secret)).status).toBe(200);
    }
    expect(find).toHaveBeenCalledTimes(10);
  });

  it("may not use a key that was valid longer ago, or one that was revoked before its first use", async () => {
    const { tested, gateway, forgetKeys } = guarded(10);
    const secret = await tested.key();
    const revoked = await tested.keys.create({ account: "acme", plan: "prepaid" });
    await tested.keys.revoke(revoked.key.id);
    expect((await ask(gateway, secret)).status).toBe(200);
    expect((await ask(gateway, revoked.secret)).status).toBe(401);
    vi.advanceTimersByTime(25 * 3_600_000);
    forgetKeys();
    for (let n = 0; n < 100; n++) await guess(gateway);
    expect((await ask(gateway, secret)).status).toBe(429);
    expect((await ask(gateway, revoked.secret)).status).toBe(429);
  });

  it("may use many valid keys at once before any is known", async () => {
    const { tested, find, gateway } = guarded(3);
    const secrets = await Promise.all(Array.from({ length: 50 }, () => tested.key()));
    expect(await statusesOf(secrets.map((secret) => ask(gateway, secret)))).toEqual({ 200: 50 });
    expect(find).toHaveBeenCalledTimes(50);
  });

  it("gets 429 for one wrong key that is repeated, and is not limited after a minute", async () => {
    const { find, gateway } = guarded(3);
    for (let n = 0; n < 4; n++) await ask(gateway, "wrong");
    expect((await ask(gateway, "wrong")).status).toBe(429);
    expect(find).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(61_000);
    expect((await ask(gateway, "wrong")).status).toBe(401);
  });

  it("is counted separately from other addresses", async () => {
    const { gateway } = guarded(3);
    for (let n = 0; n < 20; n++) await guess(gateway);
    expect((await guess(gateway)).status).toBe(429);
    expect((await guess(gateway, "192.0.2.2")).status).toBe(401);
    expect((await guess(gateway, "10.0.0.1")).status).toBe(401);
  });

  it("is limited in every process that shares the limiter after the next failed key there", async () => {
    const limiter = memoryLimiter();
    const [one, other] = [guarded(3, limiter), guarded(3, limiter)];
    for (let n = 0; n < 3; n++) expect((await guess(one.gateway)).status).toBe(401);
    expect((await guess(other.gateway)).status).toBe(401);
    expect(await statusesOf(Array.from({ length: 50 }, () => guess(other.gateway)))).toEqual({ 401: 5, 429: 45 });
  });
});

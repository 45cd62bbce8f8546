import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GatewayError } from "../../errors/gateway-error.ts";
import { memoryLimiter } from "../../memory/memory-limiter.ts";
import type { ApiKey } from "../../ports/key-store.ts";
import type { Limiter } from "../../ports/limiter.ts";
import { FailedKeys } from "./failed-keys.ts";

const clientAddress = "192.0.2.1";
const invalid = new GatewayError("invalid_api_key", "The key is invalid.");
const key: ApiKey = { id: "key-1", account: "anna", plan: "free", lastFour: "1234", createdAt: new Date(0) };
const tooMany = {
  code: "rate_limit_exceeded",
  message: "Too many invalid API keys from your address within a minute. The limit is 2. Try again in 1 s.",
  details: {
    retryAfterSeconds: 1,
    headers: {
      "x-ratelimit-limit": "2",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": "1700000001",
    },
    metadata: { limit: "requests" },
  },
};

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
afterEach(() => void vi.useRealTimers());

function guardUnderTest(limiter: Partial<Limiter> = {}) {
  const countRequest = vi.fn<Limiter["countRequest"]>(memoryLimiter().countRequest);
  const counted = Object.assign(memoryLimiter(), { countRequest }, limiter);
  return { guard: new FailedKeys(counted, 2, 1_000), countRequest };
}

const notFound = async () => undefined;

/** Fails as many look-ups of keys, as many as are still looked up while the address is limited. */
async function failLookUps(guard: FailedKeys, count: number, address: string | undefined = clientAddress) {
  for (let at = 0; at < count; at++) await guard.lookUp({ clientAddress: address }, notFound);
}

describe("a look-up", () => {
  it.each([
    ["an unknown", undefined],
    ["a revoked", { ...key, revokedAt: new Date(0) }],
  ])("of %s key counts as failed", async (_, answer) => {
    const { guard } = guardUnderTest();
    for (let at = 0; at < 2; at++) expect(await guard.lookUp({ clientAddress }, async () => answer)).toBe(answer);
    expect(() => guard.refuseGuess({ clientAddress })).toThrow(expect.objectContaining(tooMany));
  });

  it.each([
    ["finds a key", async () => key],
    [
      "finds the store unavailable",
      async () => {
        throw new Error("connection lost");
      },
    ],
  ])("that %s does not", async (_, ask) => {
    const { guard } = guardUnderTest();
    for (let at = 0; at < 3; at++) await guard.lookUp({ clientAddress }, ask).catch(() => undefined);
    guard.refuseGuess({ clientAddress });
  });

  it("is refused above five in a second once the limit is reached", async () => {
    const { guard } = guardUnderTest();
    await failLookUps(guard, 2 + 5);
    await expect(guard.lookUp({ clientAddress }, async () => key)).rejects.toMatchObject(tooMany);
  });

  it("is never refused without an address", async () => {
    const { guard } = guardUnderTest();
    for (let at = 0; at < 10; at++) await guard.lookUp({ clientAddress: undefined }, notFound);
    guard.refuseGuess({ clientAddress: undefined });
  });
});

describe("failures count together", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["192.0.2.1", "::ffff:192.0.2.1"],
    ["192.0.2.1", "::FFFF:192.0.2.1"],
    ["10.20.30.40", "::ffff:10.20.30.40"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::1"],
    ["2001:db8::1", "2001:db8:0:0:ffff::"],
    ["::1", "::2"],
    ["1::2:3:4:5:6:7", "1:0:2:3::"],
    ["::", "0:0:0:0:1::"],
    ["2001:db8::1", "2001:0DB8:0000::2"],
    ["192.0.2.1", "192.0.2.1:50123"],
    ["192.0.2.1:50123", "192.0.2.1:50124"],
    ["2001:db8::1", "[2001:db8::2]:50123"],
  ])("of %s and %s", async (a, b) => {
    const { guard } = guardUnderTest();
    await failLookUps(guard, 2, a);
    expect(() => guard.refuseGuess({ clientAddress: b })).toThrow(GatewayError);
  });

  it.each([
    ["192.0.2.1", "192.0.2.2"],
    ["192.0.2.1", "192.0.2.11"],
    ["192.0.2.1", "1::ffff:192.0.2.1"],
    ["192.0.2.1", "::ffff:192.0.2.1:1"],
    ["2001:db8:1:2::1", "2001:db8:1:3::1"],
    ["2001:db8::1", "2001:db8:1::1"],
    ["::1", "0:0:0:1::1"],
    ["1::", "::1"],
  ])("but not those of %s and %s", async (a, b) => {
    const { guard } = guardUnderTest();
    await failLookUps(guard, 2, a);
    guard.refuseGuess({ clientAddress: b });
  });
});

it("only the 10,000 addresses that were used last are remembered", async () => {
  const { guard } = guardUnderTest();
  await failLookUps(guard, 2);
  for (let at = 1; at < 10_000; at++) await failLookUps(guard, 1, `client-${at}`);
  expect(() => guard.refuseGuess({ clientAddress })).toThrow(GatewayError);
  for (let at = 1; at <= 10_000; at++) await failLookUps(guard, 1, `client-${at}`);
  guard.refuseGuess({ clientAddress });
});

describe("refuse", () => {
  it.each(["invalid_api_key", "revoked_api_key"] as const)("counts %s in the shared limiter", async (code) => {
    const { guard, countRequest } = guardUnderTest();
    const error = new GatewayError(code, "No.");
    await expect(guard.refuse(error, { clientAddress: "2001:db8::1" })).rejects.toBe(error);
    expect(countRequest).toHaveBeenCalledExactlyOnceWith("address:2001:db8:0:0", { limit: 2, windowSeconds: 60 });
  });

  it.each([
    ["another error of the gateway", new GatewayError("over_capacity", "No."), clientAddress],
    ["an error of another kind", { code: "invalid_api_key" }, clientAddress],
    ["a client without an address", invalid, undefined],
  ])("counts nothing for %s", async (_, error, address) => {
    const { guard, countRequest } = guardUnderTest();
    await expect(guard.refuse(error, { clientAddress: address })).rejects.toBe(error);
    expect(countRequest).not.toHaveBeenCalled();
  });

  it("limits the address until the window of the limiter resets, by the limiter's clock", async () => {
    const state = { limit: 2, remaining: 0, resetAt: 12_000, now: 5_000 };
    const { guard } = guardUnderTest({ countRequest: () => ({ granted: false, state }) });
    await expect(guard.refuse(invalid, { clientAddress })).rejects.toBe(invalid);
    vi.advanceTimersByTime(6_999);
    expect(() => guard.refuseGuess({ clientAddress })).toThrow("Too many invalid API keys");
    vi.advanceTimersByTime(1);
    guard.refuseGuess({ clientAddress });
  });

  it("limits no address that the limiter still grants", async () => {
    const { guard } = guardUnderTest();
    for (let at = 0; at < 2; at++) await expect(guard.refuse(invalid, { clientAddress })).rejects.toBe(invalid);
    guard.refuseGuess({ clientAddress });
  });

  it.each([
    ["throws", () => expect.fail("connection lost")],
    ["returns an invalid answer", () => JSON.parse('{"granted":false}')],
    ["does not answer", () => new Promise<never>(() => undefined)],
  ])("counts nothing while the limiter %s", async (_, countRequest) => {
    const { guard } = guardUnderTest({ countRequest });
    const refused = expect(guard.refuse(invalid, { clientAddress })).rejects.toBe(invalid);
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
    guard.refuseGuess({ clientAddress });
  });
});

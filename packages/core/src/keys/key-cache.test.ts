import { describe, expect, it, vi } from "vitest";
import { memoryKeyStore } from "../memory/memory-key-store.ts";
import type { ApiKey, KeyStore } from "../ports/key-store.ts";
import type { LookUpGuard } from "../ports/look-up-guard.ts";
import { ChangeListeners } from "./change-listeners.ts";
import { KeyCache } from "./key-cache.ts";

const client = { clientAddress: undefined };
const unguarded: LookUpGuard = { lookUp: (_client, ask) => ask(), refuseGuess: () => undefined };

const keyWithId = (id: string): ApiKey => ({
  id,
  account: "acme",
  plan: "prepaid",
  lastFour: "abcd",
  createdAt: new Date(),
});

/** A cache over a store whose answers the test gives. */
function cacheUnderTest(find: KeyStore["find"]) {
  const changes = new ChangeListeners();
  const asked = vi.fn(find);
  const cache = new KeyCache({ find: asked, onChange: changes.add }, 2_000, unguarded);
  return { cache, asked, tell: (keyId: string | undefined) => changes.tell(keyId) };
}

describe("the cache of keys", () => {
  it("asks the store once for all who present one key at the same time, and once for 30 s", async () => {
    const { cache, asked } = cacheUnderTest(async () => keyWithId("one"));
    const found = await Promise.all([cache.find("key", client), cache.find("key", client), cache.find("key", client)]);
    expect(found.map((key) => key?.id)).toEqual(["one", "one", "one"]);
    expect((await cache.find("key", client))?.id).toBe("one");
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it("remembers a key that is not there, until any key changes", async () => {
    const { cache, asked, tell } = cacheUnderTest(async () => undefined);
    await cache.find("key", client);
    await cache.find("key", client);
    expect(asked).toHaveBeenCalledTimes(1);
    tell("another");
    await cache.find("key", client);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it.each([["one"], [undefined]])("looks again for a key that may have changed meanwhile (%s)", async (changed) => {
    const { cache, asked, tell } = cacheUnderTest(async () => {
      if (asked.mock.calls.length > 1) return { ...keyWithId("one"), revokedAt: new Date() };
      tell(changed);
      return keyWithId("one");
    });
    expect((await cache.find("key", client))?.revokedAt).toBeInstanceOf(Date);
    expect((await cache.find("key", client))?.revokedAt).toBeInstanceOf(Date);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("finds and keeps a key however often others change meanwhile", async () => {
    const { cache, asked, tell } = cacheUnderTest(async () => {
      tell("another");
      return keyWithId("one");
    });
    expect((await cache.find("key", client))?.id).toBe("one");
    expect((await cache.find("key", client))?.id).toBe("one");
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it("does not remember that a key is not there when one was made meanwhile", async () => {
    const { cache, asked, tell } = cacheUnderTest(async () => {
      if (asked.mock.calls.length > 1) return keyWithId("new");
      tell("new");
      return undefined;
    });
    await cache.find("key", client);
    expect((await cache.find("key", client))?.id).toBe("new");
  });

  it("forgets every form of a key that changed, and no other key", async () => {
    const { cache, asked, tell } = cacheUnderTest(async (presented) => keyWithId(presented.slice(0, 3)));
    for (const presented of ["one", "one again", "two"]) await cache.find(presented, client);
    tell("one");
    for (const presented of ["one", "one again", "two"]) await cache.find(presented, client);
    expect(asked.mock.calls.map(([presented]) => presented)).toEqual(["one", "one again", "two", "one", "one again"]);
  });

  it("refuses at once what the same store has revoked", async () => {
    const keys = memoryKeyStore();
    const cache = new KeyCache(keys, 2_000, unguarded);
    const { key, secret } = await keys.create({ account: "acme", plan: "prepaid" });
    expect((await cache.find(secret, client))?.revokedAt).toBeUndefined();
    await keys.revoke(key.id);
    expect((await cache.find(secret, client))?.revokedAt).toBeInstanceOf(Date);
  });
});

import { describe, expect, it, vi } from "vitest";
import { memoryKeyStore } from "../memory/memory-key-store.ts";
import type { ApiKey, KeyStore } from "../ports/key-store.ts";
import { ChangeListeners } from "./change-listeners.ts";
import { KeyCache } from "./key-cache.ts";
import type { FailedKeys } from "./limits/failed-keys.ts";

const client = { clientAddress: undefined };
const unguarded: Pick<FailedKeys, "lookUp" | "refuseGuess"> = {
  lookUp: (_client, ask) => ask(),
  refuseGuess: () => undefined,
};

const keyWithId = (id: string): ApiKey => ({
  id,
  account: "acme",
  plan: "prepaid",
  lastFour: "abcd",
  createdAt: new Date(),
});

/** A cache over a store that answers with `find`. */
function cacheUnderTest(find: KeyStore["find"]) {
  const changes = new ChangeListeners();
  const asked = vi.fn(find);
  const cache = new KeyCache({ find: asked, get: () => undefined, onChange: changes.add }, 2_000, unguarded);
  return { cache, asked, notify: (keyId: string | undefined) => changes.notify(keyId) };
}

describe("the cache of keys", () => {
  it("asks the store once for concurrent look-ups of a key, and once in 30 s", async () => {
    const { cache, asked } = cacheUnderTest(async () => keyWithId("one"));
    const found = await Promise.all([cache.find("key", client), cache.find("key", client), cache.find("key", client)]);
    expect(found.map((key) => key?.id)).toEqual(["one", "one", "one"]);
    expect((await cache.find("key", client))?.id).toBe("one");
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it("caches that a key is unknown, until any key changes", async () => {
    const { cache, asked, notify } = cacheUnderTest(async () => undefined);
    await cache.find("key", client);
    await cache.find("key", client);
    expect(asked).toHaveBeenCalledTimes(1);
    notify("another");
    await cache.find("key", client);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it.each([["one"], [undefined]])("looks up a key again if it may have changed meanwhile (%s)", async (changed) => {
    const { cache, asked, notify } = cacheUnderTest(async () => {
      if (asked.mock.calls.length > 1) return { ...keyWithId("one"), revokedAt: new Date() };
      notify(changed);
      return keyWithId("one");
    });
    expect((await cache.find("key", client))?.revokedAt).toBeInstanceOf(Date);
    expect((await cache.find("key", client))?.revokedAt).toBeInstanceOf(Date);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("finds and caches a key while other keys change", async () => {
    const { cache, asked, notify } = cacheUnderTest(async () => {
      notify("another");
      return keyWithId("one");
    });
    expect((await cache.find("key", client))?.id).toBe("one");
    expect((await cache.find("key", client))?.id).toBe("one");
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it("does not cache that a key is unknown when one was created meanwhile", async () => {
    const { cache, asked, notify } = cacheUnderTest(async () => {
      if (asked.mock.calls.length > 1) return keyWithId("new");
      notify("new");
      return undefined;
    });
    await cache.find("key", client);
    expect((await cache.find("key", client))?.id).toBe("new");
  });

  it("removes every text of a changed key, and no other key", async () => {
    const { cache, asked, notify } = cacheUnderTest(async (presented) => keyWithId(presented.slice(0, 3)));
    for (const presented of ["one", "one again", "two"]) await cache.find(presented, client);
    notify("one");
    for (const presented of ["one", "one again", "two"]) await cache.find(presented, client);
    expect(asked.mock.calls.map(([presented]) => presented)).toEqual(["one", "one again", "two", "one", "one again"]);
  });

  it("returns a revocation by the same store at once", async () => {
    const keys = memoryKeyStore();
    const cache = new KeyCache(keys, 2_000, unguarded);
    const { key, secret } = await keys.create({ account: "acme", plan: "prepaid" });
    expect((await cache.find(secret, client))?.revokedAt).toBeUndefined();
    await keys.revoke(key.id);
    expect((await cache.find(secret, client))?.revokedAt).toBeInstanceOf(Date);
  });
});

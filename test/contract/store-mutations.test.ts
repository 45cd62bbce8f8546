import { keyStoreContract, limiterContract, termsStoreContract } from "@tollgate/contract";
import { memoryKeyStore, memoryLimiter, memoryTermsStore } from "@tollgate/core";
import type { ApiKey, KeyAdmin, KeyStore, Limiter, Reservation, TermsStore } from "@tollgate/core/store";
import { keyState } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { failuresOf, withOverrides } from "./failures.ts";

describe.concurrent("a limiter", () => {
  const mutations: Record<string, (sound: Limiter) => Partial<Limiter>> = {
    "that grants everything": () => ({ reserve: () => ({ granted: true }) }),
    "that never releases a place": () => ({ settle: () => undefined }),
    "that refunds the tokens with the place": (sound) => ({
      settle: ({ tokens, ...reservation }, used) =>
        sound.settle({ ...reservation, tokens: tokens ?? { amount: 0, window: { limit: 0, windowSeconds: 1 } } }, used),
    }),
    "that forgets what was used beyond a reservation": (sound) => ({
      settle: (reservation, used) =>
        sound.settle(reservation, reservation.tokens === undefined ? used : Math.min(used, reservation.tokens.amount)),
    }),
    "that counts a refused request against tokens": (sound) => ({
      reserve: async (reservation) => {
        const result = await sound.reserve(reservation);
        const { tokens, subject, leaseMs } = reservation;
        if (!result.granted && tokens !== undefined)
          await sound.reserve({ id: crypto.randomUUID(), subject, tokens, leaseMs });
        return result;
      },
    }),
    "whose renewals do nothing": () => ({ renew: () => undefined }),
    "that returns a reset that is too early": (sound) => ({
      countRequest: async (subject, window) => {
        const { granted, state } = await sound.countRequest(subject, window);
        return { granted, state: { ...state, resetAt: state.now + 10 } };
      },
    }),
    "that counts each request in a new window": (sound) => ({
      countRequest: (subject, window) => sound.countRequest(subject + crypto.randomUUID(), window),
    }),
  };

  for (const [name, mutation] of Object.entries(mutations)) {
    it(`${name} fails`, async () => {
      const create = () => {
        const sound = memoryLimiter();
        return { store: withOverrides(sound, mutation(sound)) };
      };
      expect(await failuresOf((test) => limiterContract({ test, create }))).not.toEqual([]);
    });
  }

  it("that refunds into a window that was not charged fails", async () => {
    const create = () => {
      const sound = memoryLimiter();
      return { store: withOverrides(sound, refundAcrossWindows(sound)) };
    };
    expect(await failuresOf((test) => limiterContract({ test, create }))).toEqual([
      "a new window starts empty and is not affected by refunds of the previous one",
    ]);
  });
});

describe.concurrent("a key store", () => {
  const mutations: Record<string, (sound: KeyStore & KeyAdmin) => Partial<KeyStore & KeyAdmin>> = {
    "that does not revoke keys": () => ({ revoke: () => undefined }),
    "that does not find revoked keys": (sound) => ({
      find: async (presented) => {
        const key = await sound.find(presented);
        return key?.revokedAt === undefined ? key : undefined;
      },
    }),
    "that does not report changes": () => ({ onChange: () => () => undefined }),
    "that expires a rotated key immediately": (sound) => ({ rotate: (keyId) => sound.rotate(keyId, { graceMs: 0 }) }),
    "that accepts invalid limits": (sound) => ({
      create: async (newKey) => {
        try {
          return await sound.create(newKey);
        } catch {
          return sound.create({ account: newKey.account, plan: newKey.plan });
        }
      },
    }),
    "that does not get ended keys": (sound) => ({
      get: async (keyId) => {
        const key = await sound.get(keyId);
        return key && keyState(key) === "active" ? key : undefined;
      },
    }),
    "that updates an unknown key": (sound) => ({
      update: async (keyId, changes) =>
        (await sound.update(keyId, changes)) ?? (await sound.create({ account: "a", plan: "p" })).key,
    }),
    "that removes absent members": (sound) => ({
      update: (keyId, changes) => sound.update(keyId, { spend: null, ...changes }),
    }),
    "that ignores the removal of a member": (sound) => ({
      update: (keyId, { spend, ...changes }) =>
        sound.update(keyId, spend === null || spend === undefined ? changes : { ...changes, spend }),
    }),
    "that loses the dialects of a key that it rotates": (sound) => ({
      rotate: async (keyId, options) => {
        const issued = await sound.rotate(keyId, options);
        if (issued !== undefined) await sound.update(issued.key.id, { dialects: null });
        return issued;
      },
    }),
    "that rounds a spend limit": (sound) => ({
      update: (keyId, changes) => {
        const { spend } = changes;
        const rounded = spend && { ...spend, limit: BigInt(Number(spend.limit)) };
        return sound.update(keyId, rounded ? { ...changes, spend: rounded } : changes);
      },
    }),
    "that reads a key and then writes it": (sound) => ({
      update: async (keyId, changes) => {
        const { name, models, features, dialects, limits, spend, tags, logContent, expiresAt } = {
          ...(await sound.get(keyId)),
        };
        await new Promise((resolve) => setTimeout(resolve, 2));
        const before = { name, models, features, dialects, limits, spend, tags, logContent, expiresAt };
        const stale = Object.fromEntries(Object.entries(before).map(([member, value]) => [member, value ?? null]));
        return sound.update(keyId, { ...stale, ...changes });
      },
    }),
    "that does not report updates": (sound) => {
      let silent = false;
      return {
        update: async (keyId, changes) => {
          silent = true;
          const key = await sound.update(keyId, changes);
          silent = false;
          return key;
        },
        onChange: (listener) => sound.onChange((keyId) => void (silent || listener(keyId))),
      };
    },
    "that ignores the state of a list": (sound) => ({ list: ({ state: _state, ...query }) => sound.list(query) }),
    "that filters a page after reading it": (sound) => ({
      list: async ({ search, ...query }) => {
        const { keys, ...next } = await sound.list(query);
        return { keys: keys.filter(({ name }) => search === undefined || name?.includes(search)), ...next };
      },
    }),
    "that searches with the case of letters": (sound) => ({
      list: async ({ search = "", ...query }) => {
        const { keys, ...next } = await sound.list({ ...query, search });
        const texts = (key: ApiKey) => [key.id, key.name ?? "", key.lastFour];
        return { keys: keys.filter((key) => texts(key).some((text) => text.includes(search))), ...next };
      },
    }),
    "that ignores the account of a list": (sound) => ({ list: ({ limit }) => sound.list({ limit }) }),
  };

  for (const [name, mutation] of Object.entries(mutations)) {
    it(`${name} fails`, async () => {
      const create = () => {
        const sound = memoryKeyStore();
        return { store: withOverrides(sound, mutation(sound)) };
      };
      expect(await failuresOf((test) => keyStoreContract({ test, create }))).not.toEqual([]);
    });
  }
});

describe.concurrent("a terms store", () => {
  const mutations: Record<string, (sound: TermsStore) => Partial<TermsStore>> = {
    "that changes the date of a repeated acceptance": (sound) => ({
      accept: async (account, versionId) => ({ ...(await sound.accept(account, versionId)), acceptedAt: new Date() }),
    }),
    "that looks up only the first version": (sound) => ({
      acceptance: (account, versionIds) => sound.acceptance(account, versionIds.slice(0, 1)),
    }),
    "that uses one account for all": (sound) => ({
      accept: (_, versionId) => sound.accept("all", versionId),
      acceptance: (_, versionIds) => sound.acceptance("all", versionIds),
    }),
  };

  for (const [name, mutation] of Object.entries(mutations)) {
    it(`${name} fails`, async () => {
      const create = () => {
        const sound = memoryTermsStore();
        return { store: withOverrides(sound, mutation(sound)) };
      };
      expect(await failuresOf((test) => termsStoreContract({ test, create }))).not.toEqual([]);
    });
  }
});

/** Applies a refund that comes after its window to the newest reservation of the subject, as a simple counter would. */
function refundAcrossWindows(sound: Limiter): Partial<Limiter> {
  const granted: { readonly reservation: Reservation; readonly at: number }[] = [];
  return {
    reserve: async (reservation) => {
      const result = await sound.reserve(reservation);
      if (result.granted) granted.push({ reservation, at: Date.now() });
      return result;
    },
    settle: async (reservation, tokensUsed) => {
      await sound.settle(reservation, tokensUsed);
      const charged = granted.find((each) => each.reservation.id === reservation.id);
      const newest = granted.filter((each) => each.reservation.subject === reservation.subject).at(-1);
      const refund = (reservation.tokens?.amount ?? 0) - tokensUsed;
      if (refund <= 0 || charged === undefined || newest === undefined || Date.now() - charged.at < 1_000) return;
      await sound.settle(newest.reservation, (newest.reservation.tokens?.amount ?? 0) - refund);
    },
  };
}

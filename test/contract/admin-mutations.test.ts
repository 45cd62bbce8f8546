import { auditLogContract, sessionAdminContract, termsAdminContract } from "@tollgate/contract";
import { memoryAuditLog, memorySessionStore, memoryTermsStore } from "@tollgate/core";
import type { AuditChange, AuditLog, SessionAdmin, SessionStore, TermsAdmin, TermsStore } from "@tollgate/core/store";
import { describe, expect, it } from "vitest";
import { failuresOf, withOverrides } from "./failures.ts";

describe.concurrent("a store of terms for operators", () => {
  type Store = TermsStore & TermsAdmin;
  const mutations: Record<string, (sound: Store) => Partial<Store>> = {
    "that ignores the account": (sound) => ({
      listAcceptances: ({ account: _account, ...query }) => sound.listAcceptances(query),
    }),
    "that ignores the version": (sound) => ({
      listAcceptances: ({ versionId: _versionId, ...query }) => sound.listAcceptances(query),
    }),
    "that ignores the position": (sound) => ({
      listAcceptances: async ({ after: _after, ...query }) => {
        const { acceptances } = await sound.listAcceptances(query);
        return { acceptances };
      },
    }),
    "that compares positions by the account alone": (sound) => ({
      listAcceptances: ({ after, ...query }) =>
        sound.listAcceptances(after ? { ...query, after: { ...after, versionId: "~" } } : query),
    }),
    "that orders names as JavaScript does": (sound) => ({
      listAcceptances: async (query) => {
        const { acceptances, ...next } = await sound.listAcceptances(query);
        const names = (each: (typeof acceptances)[number]) => each.account + each.versionId;
        return { acceptances: acceptances.toSorted((a, b) => (names(a) < names(b) ? -1 : 1)), ...next };
      },
    }),
    "whose last page has a next one": (sound) => ({
      listAcceptances: async (query) => {
        const { acceptances } = await sound.listAcceptances(query);
        const last = acceptances.at(-1);
        return last === undefined ? { acceptances } : { acceptances, next: last };
      },
    }),
  };

  for (const [name, mutation] of Object.entries(mutations)) {
    it(`${name} fails`, async () => {
      const create = () => {
        const sound = memoryTermsStore();
        return { store: withOverrides(sound, mutation(sound)) };
      };
      expect(await failuresOf((test) => termsAdminContract({ test, create }))).not.toEqual([]);
    });
  }
});

describe.concurrent("a store of sessions for operators", () => {
  type Store = SessionStore & SessionAdmin;
  const mutations: Record<string, (sound: Store) => Partial<Store>> = {
    "that ignores the account": (sound) => ({
      listSessions: ({ account: _account, ...query }) => sound.listSessions(query),
    }),
    "that ignores the assistant": (sound) => ({
      listSessions: ({ assistantId: _assistantId, ...query }) => sound.listSessions(query),
    }),
    "that filters a page after reading it": (sound) => ({
      listSessions: async ({ assistantId, ...query }) => {
        const { sessions, ...next } = await sound.listSessions(query);
        const wanted = sessions.filter((each) => assistantId === undefined || each.assistantId === assistantId);
        return { sessions: wanted, ...next };
      },
    }),
    "that ignores the limit of bytes": (sound) => ({
      listSessions: ({ maxBytes: _maxBytes, ...query }) => sound.listSessions(query),
    }),
    "that lists the oldest first": (sound) => ({
      listSessions: async (query) => {
        const { sessions, ...next } = await sound.listSessions(query);
        return { sessions: sessions.toReversed(), ...next };
      },
    }),
    "that counts no turns": (sound) => ({
      findSession: async (id) => {
        const found = await sound.findSession(id);
        return found && { ...found, turns: 0 };
      },
    }),
    "that returns the expiry of the creation": (sound) => ({
      findSession: async (id) => {
        const found = await sound.findSession(id);
        return found && { ...found, expiresAt: new Date(found.createdAt.getTime() + 3_600_000) };
      },
    }),
    "that finds every id": (sound) => ({
      findSession: async (id) =>
        (await sound.findSession(id)) ?? {
          id,
          account: "a",
          assistantId: "b",
          clientData: {},
          createdAt: new Date(),
          updatedAt: new Date(),
          turns: 0,
          expiresAt: new Date(),
        },
    }),
  };

  for (const [name, mutation] of Object.entries(mutations)) {
    it(`${name} fails`, async () => {
      const shared = memorySessionStore();
      await shared.create({ id: crypto.randomUUID(), account: "a", assistantId: "b", clientData: {}, ttlMs: 60_000 });
      const create = () => ({ store: withOverrides(shared, mutation(shared)) });
      expect(await failuresOf((test) => sessionAdminContract({ test, create }))).not.toEqual([]);
    });
  }
});

describe.concurrent("an audit log", () => {
  const mutations: Record<string, (sound: AuditLog) => Partial<AuditLog>> = {
    "that numbers an entry before it is visible": (sound) => appendingLater(sound),
    "that drops null": (sound) => ({
      append: ({ before, ...change }) => sound.append(before == null ? change : { ...change, before }),
    }),
    "that rounds numbers": (sound) => ({
      append: ({ after, ...change }) =>
        sound.append(after === undefined ? change : { ...change, after: JSON.parse(JSON.stringify(after)) }),
    }),
    "that ignores the actor": (sound) => ({ list: ({ actor: _actor, ...query }) => sound.list(query) }),
    "that ignores the action": (sound) => ({ list: ({ action: _action, ...query }) => sound.list(query) }),
    "that ignores the subject": (sound) => ({ list: ({ subject: _subject, ...query }) => sound.list(query) }),
    "whose cursor is inclusive": (sound) => ({
      list: ({ before, ...query }) => sound.list(before === undefined ? query : { ...query, before: before + 1n }),
    }),
    "that lists the oldest first": (sound) => ({
      list: async (query) => {
        const { entries, ...next } = await sound.list(query);
        return { entries: entries.toReversed(), ...next };
      },
    }),
  };

  for (const [name, mutation] of Object.entries(mutations)) {
    it(`${name} fails`, async () => {
      const create = () => {
        const sound = memoryAuditLog();
        return { store: withOverrides(sound, mutation(sound)) };
      };
      expect(await failuresOf((test) => auditLogContract({ test, create }))).not.toEqual([]);
    });
  }
});

/** Takes the sequence of an entry at once, and lists the entry a little later, as without a lock. */
function appendingLater(sound: AuditLog): AuditLog {
  const hidden = new Set<bigint>();
  return {
    append: async (change: AuditChange) => {
      const entry = await sound.append(change);
      hidden.add(entry.sequence);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      hidden.delete(entry.sequence);
      return entry;
    },
    list: async (query) => {
      const { entries, ...next } = await sound.list(query);
      return { entries: entries.filter(({ sequence }) => !hidden.has(sequence)), ...next };
    },
  };
}

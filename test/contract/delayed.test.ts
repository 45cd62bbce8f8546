import {
  auditLogContract,
  balanceStoreContract,
  keyStoreContract,
  limiterContract,
  responseStoreContract,
  sessionAdminContract,
  sessionStoreContract,
  sharedStoresContract,
  termsAdminContract,
  termsStoreContract,
} from "@tollgate/contract";
import {
  memoryAuditLog,
  memoryBalanceStore,
  memoryKeyStore,
  memoryLimiter,
  memoryResponseStore,
  memorySessionStore,
  memoryTermsStore,
} from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { failuresOf } from "./failures.ts";
import { mutantSharedStores } from "./mutant-shared-stores.ts";

// A store across a network responds late and out of order. The suites must not report that as a failure.
describe.concurrent("a correct store with random delays passes", () => {
  it("as an audit log", async () => {
    const create = () => ({ store: delayed(memoryAuditLog()) });
    expect(await failuresOf((test) => auditLogContract({ test, create }))).toEqual([]);
  });
  it("as a balance store", async () => {
    const create = () => ({ store: delayed(memoryBalanceStore()) });
    expect(await failuresOf((test) => balanceStoreContract({ test, create }))).toEqual([]);
  });
  it("as a key store", async () => {
    const create = () => ({ store: delayed(memoryKeyStore()) });
    expect(await failuresOf((test) => keyStoreContract({ test, create }))).toEqual([]);
  });
  it("as a limiter", async () => {
    const create = () => ({ store: delayed(memoryLimiter()) });
    expect(await failuresOf((test) => limiterContract({ test, create }))).toEqual([]);
  });
  it("as a session store", async () => {
    const create = () => ({ store: delayed(memorySessionStore()) });
    expect(await failuresOf((test) => sessionStoreContract({ test, create }))).toEqual([]);
    expect(await failuresOf((test) => sessionAdminContract({ test, create }))).toEqual([]);
  });
  it("as a response store", async () => {
    const create = () => ({ store: delayed(memoryResponseStore()) });
    expect(await failuresOf((test) => responseStoreContract({ test, create }))).toEqual([]);
  });
  it("as a terms store", async () => {
    const create = () => ({ store: delayed(memoryTermsStore()) });
    expect(await failuresOf((test) => termsStoreContract({ test, create }))).toEqual([]);
    expect(await failuresOf((test) => termsAdminContract({ test, create }))).toEqual([]);
  });
  it("as stores that share a database", async () => {
    const create = () => {
      const { keys, balances, terms } = mutantSharedStores({});
      return { store: { keys: delayed(keys), balances: delayed(balances), terms: delayed(terms) } };
    };
    expect(await failuresOf((test) => sharedStoresContract({ test, create }))).toEqual([]);
  });
});

function delayed<Port extends object>(store: Port): Port {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || name === "onChange")
        return typeof member === "function" ? member.bind(target) : member;
      return async (...args: unknown[]): Promise<unknown> => {
        await randomDelay();
        const result: unknown = await member.apply(target, args);
        await randomDelay();
        return result;
      };
    },
  });
}

function randomDelay(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
}

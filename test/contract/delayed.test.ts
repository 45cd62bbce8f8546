import {
  balanceStoreContract,
  keyStoreContract,
  limiterContract,
  sessionStoreContract,
  sharedStoresContract,
  termsStoreContract,
} from "@tollgate/contract";
import {
  memoryBalanceStore,
  memoryKeyStore,
  memoryLimiter,
  memorySessionStore,
  memoryTermsStore,
} from "@tollgate/core";
import { describe, expect, it } from "vitest";
import { breakableSharedStores } from "./breakable-shared-stores.ts";
import { failuresOf } from "./failures.ts";

// A store across a network answers late and out of order; the suites must not mistake that for a fault.
describe.concurrent("a sound store that answers late passes", () => {
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
  });
  it("as a terms store", async () => {
    const create = () => ({ store: delayed(memoryTermsStore()) });
    expect(await failuresOf((test) => termsStoreContract({ test, create }))).toEqual([]);
  });
  it("as stores that share a database", async () => {
    const create = () => {
      const { keys, balances, terms } = breakableSharedStores({});
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
      return async (...given: unknown[]): Promise<unknown> => {
        await anyMoment();
        const answer: unknown = await member.apply(target, given);
        await anyMoment();
        return answer;
      };
    },
  });
}

function anyMoment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
}

import { aiSdk } from "@tollgate/ai-sdk";
import { anthropic } from "@tollgate/anthropic";
import { memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";
import { google } from "@tollgate/google";
import { pooledTransport, webhookRunner } from "@tollgate/node";
import {
  migratePostgres,
  postgresBalanceStore,
  postgresKeyStore,
  postgresLimiter,
  postgresResponseStore,
  postgresSessionStore,
  postgresStores,
  postgresTermsStore,
} from "@tollgate/postgres";
import { redisLimiter } from "@tollgate/redis";
import { sqliteBalanceStore, sqliteKeyStore, sqliteStores } from "@tollgate/sqlite";
import { describe, expect, it } from "vitest";

/** A wrong value that a host without types can pass. */
const mistaken = <Value>(json: unknown): Value => JSON.parse(JSON.stringify(json));

const client = { eval: async () => [], evalSha: async () => [] };
const pool = { query: async () => ({ rows: [] }), connect: () => Promise.reject(new Error("not used")) };
const database = {
  exec: () => undefined,
  prepare: () => {
    throw new Error("not used");
  },
};

describe("a factory", () => {
  it.each<[string, () => unknown, string]>([
    [
      "openaiCompatible",
      () => openaiCompatible(mistaken({ baseUrl: "https://a.example/v1" })),
      "Did you mean baseURL?",
    ],
    ["anthropic", () => anthropic(mistaken({ apiKey: "k", apikey: "k" })), "Did you mean apiKey?"],
    ["google", () => google(mistaken({ apiKey: "k", safetySetting: [] })), "Did you mean safetySettings?"],
    ["aiSdk", () => aiSdk(() => mistaken({}), mistaken({ secret: [] })), "Did you mean secrets?"],
    ["pooledTransport", () => pooledTransport(mistaken({ connectMS: 1 })), "Did you mean connectMs?"],
    ["webhookRunner", () => webhookRunner(mistaken({ allowedTarget: [] })), "Did you mean allowedTargets?"],
    ["redisLimiter", () => redisLimiter(client, mistaken({ timeoutMS: 1 })), "Did you mean timeoutMs?"],
    ["memoryKeyStore", () => memoryKeyStore(mistaken({ peper: "x" })), "Did you mean pepper?"],
    ["memoryBalanceStore", () => memoryBalanceStore(mistaken({ keepEntrie: 5 })), "Did you mean keepEntries?"],
    ["sqliteKeyStore", () => sqliteKeyStore(database, mistaken({ peper: "x" })), "Did you mean pepper?"],
    ["sqliteBalanceStore", () => sqliteBalanceStore(database, mistaken({ checkKey: true })), "Did you mean checkKeys?"],
    ["postgresKeyStore", () => postgresKeyStore(pool, mistaken({ shema: "x" })), "Did you mean schema?"],
    [
      "postgresBalanceStore",
      () => postgresBalanceStore(pool, mistaken({ checkTerm: true })),
      "Did you mean checkTerms?",
    ],
    ["postgresLimiter", () => postgresLimiter(pool, mistaken({ shema: "x" })), "Did you mean schema?"],
    ["postgresTermsStore", () => postgresTermsStore(pool, mistaken({ shema: "x" })), "Did you mean schema?"],
    ["postgresResponseStore", () => postgresResponseStore(pool, mistaken({ shema: "x" })), "Did you mean schema?"],
    ["postgresSessionStore", () => postgresSessionStore(pool, mistaken({ shema: "x" })), "Did you mean schema?"],
  ])("%s names the option that was probably meant", (_, make, problem) => {
    expect(make).toThrow(problem);
    expect(make).toThrow(TypeError);
  });

  it.each<[string, () => unknown, string]>([
    ["sqliteStores", () => sqliteStores(mistaken("./secret.db")), "Open the database first and pass it"],
    [
      "postgresBalanceStore",
      () => postgresBalanceStore(mistaken("postgres://user:secret@host/db")),
      "Pass a Pool of pg",
    ],
    [
      "redisLimiter",
      () => redisLimiter(mistaken("redis://:secret@host")),
      "Pass a connected client of redis or ioredis",
    ],
  ])("%s says what to pass in place of an address, which it does not quote", (_, make, cure) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(cure);
    expect(make).not.toThrow("secret");
  });

  it("postgresStores reminds a host that reads a member of its promise to await it", async () => {
    const stores = postgresStores(mistaken({}));
    await expect(stores).rejects.toThrow();
    expect(() => Reflect.get(stores, "keys")).toThrow("Await it first: `const stores = await postgresStores(pool)`");
    expect(() => ({ ...stores })).toThrow(TypeError);
  });

  it("postgresStores and migratePostgres reject an unknown option, and postgresStores an address", async () => {
    await expect(postgresStores(mistaken("postgres://user:secret@host/db"))).rejects.toThrow(
      "got a string. Pass a Pool",
    );
    await expect(postgresStores(mistaken({}), mistaken({ shema: "x" }))).rejects.toThrow("Did you mean schema?");
    await expect(migratePostgres(pool, mistaken({ shema: "x" }))).rejects.toThrow("Did you mean schema?");
  });
});

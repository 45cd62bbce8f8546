import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contentStoreContract } from "@tollgate/contract";
import { memoryContentStore } from "@tollgate/core";
import type { ContentStore } from "@tollgate/core/store";
import { fileContentStore } from "@tollgate/node";
import { afterAll, describe, expect, it } from "vitest";
import { failuresOf, withOverrides } from "./failures.ts";

const folder = mkdtempSync(join(tmpdir(), "tollgate-content-"));
afterAll(() => rmSync(folder, { recursive: true }));

contentStoreContract({ test: { describe, it }, create: () => ({ store: memoryContentStore() }) });
contentStoreContract({ test: { describe, it }, create: () => ({ store: fileContentStore(join(folder, "shared")) }) });

it("only the owner may read the files of a content store, and no draft is left", async () => {
  const own = join(folder, "own");
  const id = crypto.randomUUID();
  const at = new Date("2027-01-01T12:00:00Z");
  await fileContentStore(own).record([{ id, at, account: "acme", keyId: "key_1", model: "m" }]);
  expect(readdirSync(join(own, "2027-01-01"))).toEqual([`${id}.json`]);
  expect(statSync(join(own, "2027-01-01", `${id}.json`)).mode & 0o777).toBe(0o600);
  expect(statSync(join(own, "2027-01-01")).mode & 0o777).toBe(0o700);
});

describe("a content store", () => {
  const mutations: Record<string, (sound: ContentStore) => Partial<ContentStore>> = {
    "that stores only the first of several records": (sound) => ({
      record: (records) => sound.record(records.slice(0, 1)),
    }),
    "that loses the time": (sound) => ({
      find: async (id) => {
        const found = await sound.find(id);
        return found && { ...found, at: new Date(0) };
      },
    }),
    "that prunes nothing": () => ({ prune: () => 0 }),
    "that prunes everything": (sound) => ({ prune: () => sound.prune(new Date(Date.now() + 1_000)) }),
  };

  for (const [name, mutation] of Object.entries(mutations)) {
    it(`${name} fails`, async () => {
      const create = () => {
        const sound = memoryContentStore();
        return { store: withOverrides(sound, mutation(sound)) };
      };
      expect(await failuresOf((test) => contentStoreContract({ test, create }))).not.toEqual([]);
    });
  }
});

import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contentStoreContract } from "@tollgate/contract";
import { memoryContentStore } from "@tollgate/core";
import { fileContentStore } from "@tollgate/node";
import { afterAll, describe, expect, it } from "vitest";

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

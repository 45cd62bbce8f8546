import { chmodSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, it, onTestFinished } from "vitest";
import { privateFile } from "./private-file.ts";
import { sqliteStores } from "./stores.ts";

it("restricts a new database, its WAL files and its folder to the owner", async () => {
  const root = mkdtempSync(join(tmpdir(), "tollgate-private-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const file = join(root, "new", "folder", "tollgate.db");
  const database = new DatabaseSync(privateFile(file));
  onTestFinished(() => database.close());
  await sqliteStores(database).keys.create({ account: "a", plan: "p" });
  expect(["", "-wal", "-shm"].map((suffix) => modeOf(file + suffix))).toEqual(["600", "600", "600"]);
  expect(modeOf(join(root, "new"))).toBe("700");
  expect(modeOf(join(root, "new", "folder"))).toBe("700");

  chmodSync(file, 0o640);
  expect(modeOf(privateFile(file))).toBe("640");
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

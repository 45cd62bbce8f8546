import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import {
  accountAdminContract,
  auditLogContract,
  balanceStoreContract,
  entryFeedContract,
  keyStoreContract,
  noticeOutboxContract,
  responseStoreContract,
  sessionAdminContract,
  sessionStoreContract,
  sharedStoresContract,
  termsAdminContract,
  termsStoreContract,
  usageStoreContract,
} from "@tollgate/contract";

import { afterAll, describe, it } from "vitest";
import {
  type SqliteDatabase,
  sqliteAuditLog,
  sqliteBalanceStore,
  sqliteEntryFeed,
  sqliteKeyStore,
  sqliteResponseStore,
  sqliteSessionStore,
  sqliteStores,
  sqliteTermsStore,
  sqliteUsageStore,
} from "./index.ts";
import { requireSafeLibrary } from "./set-up.ts";

interface OpenDatabase extends SqliteDatabase {
  close(): void;
}

const drivers: Record<string, (file: string) => OpenDatabase> = {
  "@photostructure/sqlite": (file) => new DatabaseSync(file),
  ...nodeDriver(),
};

const test = { describe, it };

// The migrations take most of the time of such a test, so each begins with a copy of a file that has been migrated.
const templates = mkdtempSync(join(tmpdir(), "tollgate-sqlite-"));
const template = join(templates, "migrated.db");
const migrating = new DatabaseSync(template);
sqliteStores(migrating);
migrating.close();
afterAll(() => rmSync(templates, { recursive: true }));

for (const [name, connect] of Object.entries(drivers)) {
  describe(`on a file, with ${name}`, () => {
    balanceStoreContract({ test, create: () => onFile(sqliteBalanceStore) });
    accountAdminContract({ test, create: () => onFile(sqliteBalanceStore) });
    noticeOutboxContract({ test, create: () => onFile(sqliteBalanceStore) });
    entryFeedContract({
      test,
      create: () => onFile((database) => ({ feed: sqliteEntryFeed(database), balances: sqliteBalanceStore(database) })),
    });
    keyStoreContract({ test, create: () => onFile((database) => sqliteKeyStore(database, { pepper: "a pepper" })) });
    termsStoreContract({ test, create: () => onFile(sqliteTermsStore) });
    sessionStoreContract({ test, create: () => onFile(sqliteSessionStore) });
    responseStoreContract({ test, create: () => onFile(sqliteResponseStore) });
    termsAdminContract({ test, create: () => onFile(sqliteTermsStore) });
    sessionAdminContract({ test, create: () => onFile(sqliteSessionStore) });
    auditLogContract({ test, create: () => onFile(sqliteAuditLog) });
    usageStoreContract({ test, create: () => onFile(sqliteUsageStore) });
    sharedStoresContract({ test, create: () => onFile(sqliteStores) });
  });

  // The SQL is the same as on a file. What differs are settings, transactions and the location, which these two contracts use.
  describe(`in memory, with ${name}`, () => {
    balanceStoreContract({ test, create: () => inMemory(sqliteBalanceStore) });
    sharedStoresContract({ test, create: () => inMemory(sqliteStores) });
  });

  /** The store on a file of its own, with a separate connection for the peer. */
  function onFile<Store>(make: (database: SqliteDatabase) => Store) {
    const folder = mkdtempSync(join(tmpdir(), "tollgate-sqlite-"));
    const file = join(folder, "test.db");
    copyFileSync(template, file);
    const databases = [connect(file), connect(file)] as const;
    const close = () => {
      for (const database of databases) database.close();
      rmSync(folder, { recursive: true });
    };
    return { store: make(databases[0]), peer: make(databases[1]), close };
  }

  function inMemory<Store>(make: (database: SqliteDatabase) => Store) {
    const database = connect(":memory:");
    return { store: make(database), close: () => database.close() };
  }
}

/** The driver built into Node, if its SQLite library is new enough. */
function nodeDriver(): Record<string, (file: string) => OpenDatabase> {
  const sqlite: unknown = process.getBuiltinModule("node:sqlite");
  if (!hasDatabase(sqlite)) return {};
  const connect = (file: string) => new sqlite.DatabaseSync(file);
  return isTooOld(connect(":memory:")) ? {} : { "node:sqlite": connect };
}

function hasDatabase(module: unknown): module is { readonly DatabaseSync: new (file: string) => OpenDatabase } {
  return typeof module === "object" && module !== null && "DatabaseSync" in module;
}

function isTooOld(database: OpenDatabase): boolean {
  try {
    requireSafeLibrary(database);
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { parseAmount } from "@tollgate/core";
import type { BalanceStore, KeyAdmin, TermsStore } from "@tollgate/core/store";
import { postgresStores } from "@tollgate/postgres";
import { privateFile, sqliteStores } from "@tollgate/sqlite";
import type { BodyInit, RequestInit, Response } from "undici";
import { inject } from "vitest";
import { createDatabase } from "../support/create-database.ts";
import { startUpstream, type Upstream } from "../upstream/upstream.ts";
import type { Host } from "./hosts.ts";

/** A running host, its upstream, and a client with a key. */
export interface Stage extends AsyncDisposable {
  readonly upstream: Upstream;
  /** Sends a request to a path of the host, with a valid key unless the headers contain another. */
  ask(method: string, path: string, body?: BodyInit, init?: RequestInit): Promise<Response>;
  /** Posts a chat completion; the members override those of a small valid body. */
  chat(members?: object, init?: RequestInit): Promise<Response>;
  /** What the host has printed so far. */
  output(): string;
}

/** Starts a host with a database, in which an account has a key and money. */
export async function setStage({ start, store = "sqlite" }: Host): Promise<Stage> {
  const database = await (store === "sqlite" ? sqliteDatabase() : postgresDatabase());
  const { secret } = database;
  const upstream = await startUpstream();
  const host = await start({ ...database.environment, OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: "sk-upstream" });
  const ask: Stage["ask"] = (method, path, body, init = {}) =>
    host.send(path, {
      method,
      ...(body === undefined ? {} : { body }),
      ...init,
      headers: { authorization: `Bearer ${secret}`, ...init.headers },
    });
  return {
    upstream,
    ask,
    chat: (members = {}, init = {}) =>
      ask("POST", "/router/v1/chat/completions", JSON.stringify({ ...small, ...members }), {
        ...init,
        headers: { "content-type": "application/json", ...init.headers },
      }),
    output: host.output,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await upstream.close();
      await database.drop();
    },
  };
}

const small = { model: "acme-small", messages: [{ role: "user", content: "Hello" }] };

/** A database with a key, and the variables of the host that name it. */
interface Database {
  readonly secret: string;
  readonly environment: Readonly<Record<string, string>>;
  drop(): void | Promise<void>;
}

async function sqliteDatabase(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-host-"));
  const file = join(folder, "acme.db");
  const database = new DatabaseSync(privateFile(file));
  const secret = await keyIn(sqliteStores(database, { prefix: "acme" }));
  database.close();
  return { secret, environment: { DATABASE_FILE: file }, drop: () => rmSync(folder, { recursive: true }) };
}

async function postgresDatabase(): Promise<Database> {
  const { url, pool, drop } = await createDatabase(inject("postgres"));
  const secret = await keyIn(await postgresStores(pool, { prefix: "acme", migrate: false }));
  return { secret, environment: { DATABASE_URL: url }, drop };
}

interface Stores {
  readonly keys: Pick<KeyAdmin, "create">;
  readonly balances: Pick<BalanceStore, "credit">;
  readonly terms: Pick<TermsStore, "accept">;
}

async function keyIn({ keys, balances, terms }: Stores): Promise<string> {
  const { secret } = await keys.create({ account: "acme", plan: "prepaid" });
  await terms.accept("acme", "terms-2026-01");
  await balances.credit({ id: "start", account: "acme", amount: parseAmount("100"), reason: "test" });
  return secret;
}

import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dataFolder, endQuickstart, type Quickstart, startQuickstart, written } from "./start-quickstart.ts";

interface Announced {
  readonly router: string;
  readonly sessions: string;
  readonly assistant: string;
  readonly keys: Readonly<Record<string, string>>;
}

// Each test starts several processes, one after another.
vi.setConfig({ testTimeout: 60_000 });

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const statuses = {
  prepaid: 200,
  subscription: 200,
  restricted: 200,
  empty: 402,
  terms: 428,
  expired: 401,
  revoked: 401,
};

let folder: string;
const started: Quickstart[] = [];

beforeEach(() => {
  folder = dataFolder();
});
afterEach(async () => {
  for (const quickstart of started.splice(0)) await endQuickstart(quickstart);
  rmSync(folder, { recursive: true });
});

async function start(): Promise<[Quickstart, Announced]> {
  const quickstart = startQuickstart({ PORT: "0", QUICKSTART_JSON: "1", QUICKSTART_DATA: folder });
  started.push(quickstart);
  const [line] = await written(quickstart, /^\{.*\}\n/);
  return [quickstart, JSON.parse(line)];
}

/** Runs the command line on the data of the quickstart, as `npm run -s tollgate` does. */
async function tollgate(...argv: readonly string[]) {
  const program = ["packages/cli/bin/tollgate.mjs", "--config", "examples/quickstart/dist/tollgate.config.js"];
  const env = { ...process.env, QUICKSTART_DATA: folder };
  const { stdout } = await execute(process.execPath, [...program, ...argv, "--json"], { cwd: root, env });
  return JSON.parse(stdout);
}

async function ask({ router }: Announced, secret = ""): Promise<number> {
  const answer = await fetch(`${router}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "everyday-1", messages: [{ role: "user", content: "Hello" }] }),
  });
  await answer.text();
  return answer.status;
}

const accept = async ({ router }: Announced, query = "") =>
  (await fetch(new URL(`/terms${query}`, router), { method: "POST" })).text();

async function statusesOf(announced: Announced): Promise<object> {
  const pending = Object.keys(statuses).map(async (name) => [name, await ask(announced, announced.keys[name])]);
  return Object.fromEntries(await Promise.all(pending));
}

it("charges and a key of the command line survive a kill -9 and a restart", async () => {
  const [first, announced] = await start();
  const { secret } = await tollgate("keys", "create", "--account", "acme", "--plan", "prepaid");
  await tollgate("balance", "credit", "acme", "5", "--id", "invoice-1");
  expect(await ask(announced, secret)).toBe(428);
  expect(await accept(announced, "?account=acme")).toContain('The account "acme" accepted the terms');
  expect([await ask(announced, secret), await ask(announced, announced.keys["prepaid"])]).toEqual([200, 200]);
  const spent = [await tollgate("balance", "show", "acme"), await tollgate("balance", "show", "prepaid")];
  expect(Number(spent[0].posted)).toBeLessThan(5);
  expect(Number(spent[1].posted)).toBeLessThan(1_000);
  await endQuickstart(first);

  const [, again] = await start();
  expect([await tollgate("balance", "show", "acme"), await tollgate("balance", "show", "prepaid")]).toEqual(spent);
  expect(await ask(again, secret)).toBe(200);
  expect(await tollgate("ledger", "verify")).toEqual({ ok: true, violations: [] });
});

it("a session survives a kill -9 and a restart, with its messages, logs and client data", async () => {
  const [first, announced] = await start();
  const { secret } = await tollgate("keys", "create", "--account", "prepaid", "--plan", "prepaid");
  const client_data = { customer: "Ann & Bob" };
  const { id } = await onSessions(announced, secret, "", { assistant_id: announced.assistant, client_data });
  await onSessions(announced, secret, `/${id}/messages`, { content: "Where is order 1234?" });
  const stored = async (from: Announced) => [
    await onSessions(from, secret, `/${id}`),
    await onSessions(from, secret, `/${id}/messages`),
    await onSessions(from, secret, `/${id}/logs`),
  ];
  const before = await stored(announced);
  expect(before).toMatchObject([
    { client_data: { ...client_data, last_order: 1234 } },
    { data: [{ role: "user" }, { role: "assistant" }, { role: "tool" }, { role: "assistant" }] },
    { data: [{ trigger: "find_order", outcome: "succeeded" }] },
  ]);
  await endQuickstart(first);

  const [, again] = await start();
  expect(await stored(again)).toEqual(before);
  await onSessions(again, secret, `/${id}/messages`, { content: "Where is order 1235?" });
  expect(await onSessions(again, secret, `/${id}`)).toMatchObject({
    client_data: { ...client_data, last_order: 1235 },
  });
});

/** Posts a body to a session endpoint, or sends a GET without one. */
async function onSessions({ sessions }: Announced, secret: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${sessions}/session${path}`, { headers, ...sent });
  expect(answer.ok).toBe(true);
  return await answer.json();
}

it("after a restart, new demo keys have their statuses, and those of the earlier start are revoked", async () => {
  const [first, before] = await start();
  expect(await statusesOf(before)).toEqual(statuses);
  await accept(before);
  expect(await ask(before, before.keys["terms"])).toBe(200);
  await tollgate("balance", "credit", "empty", "5");
  expect(await ask(before, before.keys["empty"])).toBe(200);
  await tollgate("balance", "debit", "prepaid", "999.9");
  await endQuickstart(first);

  const [, again] = await start();
  expect(await statusesOf(again)).toEqual(statuses);
  for (const secret of Object.values(before.keys)) expect(await ask(again, secret)).toBe(401);
  expect((await tollgate("keys", "list", "--active", "--search", "demonstration")).keys).toHaveLength(6);
  expect(Number((await tollgate("balance", "show", "prepaid")).posted)).toBeGreaterThan(999);
  expect((await tollgate("balance", "show", "empty")).posted).toMatch(/^4\.9/);
  expect(await accept(again)).toContain('The account "terms-2" accepted the terms');
});

it("two quickstarts work on one file at the same time", async () => {
  const [[, one], [, other]] = await Promise.all([start(), start()]);
  const [, third] = await start();
  for (const each of [one, other, third]) expect(await statusesOf(each)).toEqual(statuses);
  const kinds = async (): Promise<string[]> => {
    const { entries } = await tollgate("ledger", "entries", "prepaid", "--last", "1000");
    return entries.map(({ kind }: { kind: string }) => kind).sort();
  };
  const before = await kinds();
  const crowd = Array.from({ length: 60 }, (_, at) => ask(at % 2 === 0 ? one : other, one.keys["prepaid"]));
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([200]));
  expect(before.filter((kind) => kind !== "charge")).toEqual(["credit"]);
  expect(await kinds()).toEqual([...Array(60).fill("charge"), ...before]);
  expect(await tollgate("ledger", "verify")).toEqual({ ok: true, violations: [] });
});

it("a data folder that is unusable or damaged is reported with what to do", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(await refusal(file)).toContain("Set QUICKSTART_DATA to a folder");

  const [first] = await start();
  await endQuickstart(first);
  await tollgate("balance", "show", "prepaid");
  const database = join(folder, "quickstart.db");
  const whole = readFileSync(database);
  writeFileSync(database, whole.fill("damage", 3 * 4096, 9 * 4096));
  expect(await refusal(folder)).toContain("malformed. Set QUICKSTART_DATA to a folder");
  writeFileSync(database, "no database at all");
  expect(await refusal(folder)).toContain("or move quickstart.db* away to start over.");
});

/** Returns the error message of a quickstart that cannot start with this folder. */
async function refusal(data: string): Promise<string> {
  const quickstart = startQuickstart({ PORT: "0", QUICKSTART_DATA: data });
  expect(await quickstart.exit).toBe(1);
  const { stderr } = quickstart.output;
  expect(stderr).toContain(`The quickstart cannot start. ${data}/quickstart.db cannot be used: `);
  return stderr;
}

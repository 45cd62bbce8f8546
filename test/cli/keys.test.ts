import { memoryKeyStore } from "@tollgate/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliUnderTest, openCli } from "./in-process.ts";

let keys: ReturnType<typeof memoryKeyStore>;
let cli: CliUnderTest;

beforeEach(() => {
  keys = memoryKeyStore();
  cli = openCli({ keys });
});
afterEach(() => cli.close());

const dayMs = 86_400_000;
const ofAcme = ["--account", "acme", "--plan", "prepaid"];
const allKeys = async () => (await keys.list({ limit: 10_000 })).keys;
const secretIn = (text: string): string => /\btg_\w{38}\b/.exec(text)?.[0] ?? "";

describe("keys create", () => {
  it("creates the requested key and shows it once", async () => {
    const limits = ["--requests", "100/60", "--tokens", "100000", "--concurrency", "4"];
    const apis = ["--features", "tools,image_url", "--dialects", "messages, chat", "--scopes", "inference"];
    const restrictions = ["--models", "a/b, c", ...apis, "--expires", "2127-01-01"];
    const { code, out, err } = await cli.run([
      "keys",
      "create",
      ...ofAcme,
      "--name",
      "CI 日本",
      ...limits,
      ...restrictions,
    ]);
    expect([code, err]).toEqual([0, ""]);
    const secret = secretIn(out);
    expect(await keys.find(secret)).toMatchObject({
      account: "acme",
      plan: "prepaid",
      name: "CI 日本",
      models: ["a/b", "c"],
      features: ["tools", "image_url"],
      dialects: ["messages", "chat"],
      scopes: ["inference"],
      limits: { requests: { limit: 100, windowSeconds: 60 }, tokens: { limit: 100_000 }, concurrency: 4 },
      expiresAt: new Date("2127-01-01T00:00:00Z"),
    });
    expect(out.split(secret)).toHaveLength(2);
    expect(out).toContain("It is shown only now");
    expect(out).toMatch(/features +tools, image_url\ndialects +messages, chat\nscopes +inference\n/);
  });

  it("sets only the requested members of a key", async () => {
    await cli.run(["keys", "create", ...ofAcme]);
    const [key = {}] = await allKeys();
    expect(Object.keys(key).sort()).toEqual(["account", "createdAt", "id", "lastFour", "plan"]);
  });

  it("writes the key and its secret as JSON", async () => {
    const { out } = await cli.run(["keys", "create", ...ofAcme, "--requests", "5", "--json"]);
    const { key, secret } = JSON.parse(out);
    const kept = await keys.find(secret);
    expect(key).toEqual({
      id: kept?.id,
      state: "active",
      account: "acme",
      plan: "prepaid",
      lastFour: secret.slice(-4),
      limits: { requests: { limit: 5, windowSeconds: 60 } },
      tags: [],
      logContent: false,
      createdAt: kept?.createdAt.toISOString(),
    });
  });

  it.each([
    ["30d", 30 * dayMs],
    ["12h", dayMs / 2],
  ])("sets the expiry of a key with --expires %s", async (duration, lifeMs) => {
    const before = Date.now();
    await cli.run(["keys", "create", ...ofAcme, "--expires", duration]);
    const [key] = await allKeys();
    const life = (key?.expiresAt?.getTime() ?? 0) - before;
    expect(life).toBeGreaterThanOrEqual(lifeMs);
    expect(life).toBeLessThan(lifeMs + 60_000);
  });

  it.each([
    ["--requests", "0"],
    ["--requests", "1.5/60"],
    ["--requests", "100/0"],
    ["--requests", "100/604801"],
    ["--requests", "-5"],
    ["--requests", "100/60/60"],
    ["--requests", "99999999999999999999"],
    ["--tokens", "1e5"],
    ["--tokens", ""],
    ["--concurrency", "0"],
    ["--concurrency", "2.5"],
    ["--features", "tools,toolz"],
    ["--features", ""],
    ["--dialects", "chat,message"],
    ["--scopes", "chat"],
    ["--models", "a,,b"],
    ["--expires", "2020-01-01"],
    ["--expires", "2127-02-30"],
    ["--expires", "2127-01-01T25:00:00Z"],
    ["--expires", "tomorrow"],
    ["--expires", "30"],
    ["--expires", "-30d"],
    ["--expires", "0"],
    ["--expires", "1000y"],
    ["--name", "two\nlines"],
    ["--name", " "],
    ["--account", ""],
    ["--plan", "x".repeat(201)],
  ])("rejects %s %j before it calls a store", async (option, value) => {
    const { code, out, err } = await cli.run(["keys", "create", ...ofAcme, option, value]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^--[a-z]+ cannot be ".*": .*write .*\.\n$/);
    expect(err).toContain(option);
    expect(await allKeys()).toEqual([]);
  });
});

it("a plan that the config file does not export is rejected", async () => {
  const other = openCli({ keys, plans: ["prepaid", "subscription"] });
  const refused = await other.run(["keys", "create", "--account", "acme", "--plan", "prepayd"]);
  const { code } = await other.run(["keys", "create", ...ofAcme]);
  other.close();
  expect(refused).toEqual({
    code: 2,
    out: "",
    err: '--plan cannot be "prepayd": write one of prepaid, subscription.\n',
  });
  expect([code, (await allKeys()).length]).toEqual([0, 1]);
});

describe("keys list", () => {
  it("reports that there are none", async () => {
    expect(await cli.run(["keys", "list"])).toEqual({ code: 0, out: "No keys were found.\n", err: "" });
  });

  it("reads all pages", async () => {
    for (let count = 0; count < 1_203; count++) await keys.create({ account: `a${count % 2}`, plan: "p" });
    const { out } = await cli.run(["keys", "list", "--json"]);
    const listed: { id: string }[] = JSON.parse(out).keys;
    expect(listed.map(({ id }) => id)).toEqual((await allKeys()).map(({ id }) => id));
    const one = await cli.run(["keys", "list", "--account", "a1"]);
    expect(one.out.split("\n")).toHaveLength(1 + 601 + 1);
  });

  it("shows states, and omits ended keys with --active", async () => {
    const [active, ending] = [
      await keys.create({ account: "a", plan: "p" }),
      await keys.create({ account: "b", plan: "p" }),
    ];
    await keys.rotate(ending.key.id, { graceMs: dayMs });
    const revoked = await keys.create({ account: "c", plan: "p" });
    await keys.revoke(revoked.key.id);
    await keys.create({ account: "d", plan: "p", expiresAt: new Date(0) });
    const states = async (...more: string[]) =>
      JSON.parse((await cli.run(["keys", "list", "--json", ...more])).out).keys.map(
        (key: { state: string }) => key.state,
      );
    expect(await states()).toEqual(["active", "active", "active", "revoked", "expired"]);
    expect(await states("--active")).toEqual(["active", "active", "active"]);
    const { out } = await cli.run(["keys", "list"]);
    expect(out).toMatch(new RegExp(`^${active.key.id}  ${active.key.lastFour}  active `, "m"));
    expect(out).toMatch(new RegExp(`^${ending.key.id}  ${ending.key.lastFour}  to \\d{4}-\\d\\d-\\d\\d `, "m"));
  });

  it("fits into a terminal, and is not truncated otherwise", async () => {
    const account = "customer-".repeat(8);
    await keys.create({ account, plan: "a-plan-with-a-long-name", name: "mine" });
    const { out } = await cli.run(["keys", "list"], { columns: 80 });
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(out).toContain("custom");
    expect((await cli.run(["keys", "list"])).out).toContain(account);
  });

  it("escapes control characters in names", async () => {
    await keys.create({ account: "a\u001b[2J", plan: "p\u202e", name: "\r\nroot" });
    const { out } = await cli.run(["keys", "list"], { columns: 120 });
    expect(out).toMatch(/a\\u\{1b\}\[2J +p\\u\{202e\} +\\u\{d\}\\u\{a\}root\n$/);
  });
});

describe("keys revoke", () => {
  it("revokes the key", async () => {
    const { key, secret } = await keys.create({ account: "acme", plan: "p" });
    const { code, out } = await cli.run(["keys", "revoke", key.id, "--json"]);
    const revokedAt = (await keys.find(secret))?.revokedAt;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      key: { id: key.id, state: "revoked", revokedAt: revokedAt?.toISOString() },
    });
    expect((await cli.run(["keys", "revoke", key.id])).out).toContain(`revoked    ${revokedAt?.toISOString()}`);
  });

  it("exits with 1 for an unknown key", async () => {
    const { code, out, err } = await cli.run(["keys", "revoke", "nobody"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toBe('There is no key with the id "nobody". See `tollgate keys list`.\n');
  });

  it("does not show a key that is passed in place of its id", async () => {
    const { secret } = await keys.create({ account: "acme", plan: "p" });
    const ended = await cli.run(["keys", "revoke", secret]);
    expect([ended.code, ended.out]).toEqual([2, ""]);
    expect(ended.err).toMatch(/^That is a key and not the id of a key/);
    expect(ended.err).not.toContain(secret.slice(3, -4));
    expect((await keys.find(secret))?.revokedAt).toBeUndefined();
  });
});

describe("keys rotate", () => {
  it("shows the new key once and the expiry of the old one", async () => {
    const old = await keys.create({ account: "acme", plan: "p", models: ["a"] });
    const { code, out } = await cli.run(["keys", "rotate", old.key.id, "--grace", "24h"]);
    expect(code).toBe(0);
    const secret = secretIn(out);
    expect(await keys.find(secret)).toMatchObject({ account: "acme", models: ["a"], rotatedFrom: old.key.id });
    expect(out.split(secret)).toHaveLength(2);
    const end = (await keys.find(old.secret))?.expiresAt?.getTime() ?? 0;
    const shown = Date.parse(/The old key expires at (\S+)\.\n/.exec(out)?.[1] ?? "");
    expect(Math.abs(shown - end)).toBeLessThan(60_000);
    expect(Math.abs(end - Date.now() - dayMs)).toBeLessThan(60_000);
  });

  it("shows the expiry of an old key that expires before the end of the grace period", async () => {
    const expiresAt = new Date(Date.now() + dayMs);
    const { key } = await keys.create({ account: "acme", plan: "p", expiresAt });
    const { out } = await cli.run(["keys", "rotate", key.id, "--grace", "7d", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ previousEndsAt: expiresAt.toISOString(), key: { rotatedFrom: key.id } });
  });

  it("expires the old key immediately with --grace 0", async () => {
    const old = await keys.create({ account: "acme", plan: "p" });
    await cli.run(["keys", "rotate", old.key.id, "--grace", "0"]);
    expect((await keys.find(old.secret))?.expiresAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it.each([["-1h"], ["24"], ["soon"], [""], ["200y"]])("rejects --grace %j", async (grace) => {
    const { key } = await keys.create({ account: "acme", plan: "p" });
    const { code, err } = await cli.run(["keys", "rotate", key.id, "--grace", grace]);
    expect([code, err]).toEqual([2, expect.stringMatching(/^--grace cannot be ".*": write a duration such as 30m/)]);
    expect(await allKeys()).toEqual([key]);
  });

  it("exits with 1 for a key that has ended", async () => {
    const { key } = await keys.create({ account: "acme", plan: "p" });
    await keys.revoke(key.id);
    const { code, err } = await cli.run(["keys", "rotate", key.id, "--grace", "1h", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(err)).toEqual({ error: { code: "not_found", message: expect.stringContaining("has ended") } });
  });
});

it("a key is shown only by the command that created it", async () => {
  const { secret } = JSON.parse((await cli.run(["keys", "create", ...ofAcme, "--json"])).out);
  const [key] = await allKeys();
  const lines = [
    ["keys", "list"],
    ["keys", "list", "--json"],
    ["keys", "revoke", key?.id ?? ""],
    ["keys", secret],
    [secret],
  ];
  for (const line of lines) {
    const { out, err } = await cli.run(line);
    expect(out + err).not.toContain(secret.slice(3, -4));
  }
});

it("additional members from a store of the host are not shown", async () => {
  const { key } = await keys.create({ account: "acme", plan: "p" });
  const store = Object.assign(Object.create(keys), { list: () => ({ keys: [{ ...key, digest: "canary" }] }) });
  const other = openCli({ keys: store });
  const { code, out } = await other.run(["keys", "list", "--json"]);
  other.close();
  expect([code, out]).toEqual([0, expect.stringContaining(key.id)]);
  expect(out).not.toContain("canary");
});

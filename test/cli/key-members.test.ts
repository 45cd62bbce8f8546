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

const create = ["keys", "create", "--account", "acme", "--plan", "prepaid"];
const spend = { limit: 50_000_000_000n, window: "week", timezone: "Europe/Berlin" } as const;
const only = async () => (await keys.list({ limit: 1 })).keys[0];

describe("keys create", () => {
  it("sets a spend limit, tags and the storage of content", async () => {
    const limit = ["--spend", "50", "--spend-window", "week", "--spend-timezone", "Europe/Berlin"];
    const { code, out } = await cli.run([...create, ...limit, "--tag", "a", "b", "--tag", "c", "--log-content"]);
    expect(code).toBe(0);
    expect(await only()).toMatchObject({ spend, tags: ["a", "b", "c"], logContent: true });
    expect(out).toMatch(/spend +50 per week \(Europe\/Berlin\)\ntags +a, b, c\ncontent +stored\n/);
  });

  it("limits the spending of a month in UTC by default, and shows the limit as a decimal number", async () => {
    const { out } = await cli.run([...create, "--spend", "0.000000001", "--json"]);
    expect(await only()).toMatchObject({ spend: { limit: 1n, window: "month" } });
    expect(JSON.parse(out).key.spend).toEqual({ limit: "0.000000001", window: "month", timezone: "UTC" });
  });

  it.each([
    [["--spend", "-1"], '--spend cannot be "-1": write a number of zero or more, such as 12.50.\n'],
    [["--spend", "none"], '--spend cannot be "none": '],
    [["--spend", "9223372037"], '--spend cannot be "9223372037": it is too large; write at most 9223372036.\n'],
    [["--spend", "5", "--spend-window", "year"], '--spend-window cannot be "year": write day, week, month or total.\n'],
    [
      ["--spend", "5", "--spend-timezone", "Mars/Base"],
      '--spend-timezone cannot be "Mars/Base": write an IANA time zone such as Europe/Berlin.\n',
    ],
    [["--spend-models", "a"], "--spend-models needs a limit. Pass --spend <amount> as well.\n"],
    [["--spend-window", "day"], "--spend-window and --spend-timezone need a limit. Pass --spend <amount> as well.\n"],
    [["--tag", "x".repeat(65)], "The store rejected the value: `tags[0]` must be a text of 1 to 64 characters"],
  ])("rejects %j", async (options, words) => {
    expect(await cli.run([...create, ...options])).toEqual({ code: 2, out: "", err: expect.stringContaining(words) });
    expect(await only()).toBeUndefined();
  });
});

describe("keys update", () => {
  const limits = { requests: { limit: 5 }, concurrency: 2 };
  const given = {
    name: "CI",
    models: ["a"],
    dialects: ["chat"],
    scopes: ["inference"],
    limits,
    spend,
    tags: ["a"],
    logContent: true,
  } as const;

  const update = async (...options: string[]) => {
    const { key } = await keys.create({ account: "acme", plan: "prepaid", ...given });
    const { code, out, err } = await cli.run(["keys", "update", key.id, ...options, "--json"]);
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out).key).toMatchObject({ id: key.id, state: "active" });
    return keys.get(key.id);
  };

  it("changes only the members that its options name", async () => {
    const expiresAt = new Date("2127-01-01T00:00:00Z");
    expect(await update("--name", "CD", "--expires", "2127-01-01")).toMatchObject({ ...given, name: "CD", expiresAt });
    expect(await update("--features", "tools")).toMatchObject({ ...given, features: ["tools"] });
    expect(await update("--dialects", "responses")).toMatchObject({ ...given, dialects: ["responses"] });
    expect(await update("--scopes", "account:read")).toMatchObject({ ...given, scopes: ["account:read"] });
    expect(await update("--tag", "b", "c", "--no-log-content")).toMatchObject({
      ...given,
      tags: ["b", "c"],
      logContent: false,
    });
  });

  it("keeps the other limits, and the window and the time zone of a spend limit", async () => {
    const requests = { limit: 7, windowSeconds: 10 };
    expect(await update("--requests", "7/10")).toMatchObject({ limits: { requests, concurrency: 2 } });
    expect(await update("--spend", "7")).toMatchObject({ spend: { ...spend, limit: 7_000_000_000n } });
    expect(await update("--spend-window", "total")).toMatchObject({ spend: { ...spend, window: "total" } });
    expect((await update("--spend-timezone", "none"))?.spend).toEqual({ limit: spend.limit, window: "week" });
    const models = ["gpt-5*", "large"];
    expect(await update("--spend-models", "gpt-5*,large")).toMatchObject({ spend: { ...spend, models } });
    expect((await update("--spend-models", "none"))?.spend).toEqual(spend);
  });

  it("removes members with the value none", async () => {
    const names = ["name", "models", "dialects", "scopes", "requests", "concurrency", "spend", "tag"];
    const key = await update(...names.flatMap((name) => [`--${name}`, "none"]));
    expect(Object.keys(key ?? {}).sort()).toEqual(["account", "createdAt", "id", "lastFour", "logContent", "plan"]);
    expect((await update("--concurrency", "none"))?.limits).toEqual({ requests: { limit: 5 } });
  });

  it("shows the changed key", async () => {
    const { key } = await keys.create({ account: "acme", plan: "prepaid" });
    const { out } = await cli.run(["keys", "update", key.id, "--spend", "5", "--spend-window", "total"]);
    expect(out).toMatch(/^The key is changed\.\n\nid +.*\n(?:.*\n)*spend +5 in total\n/);
  });

  it.each([
    ["an unknown key", ["nobody", "--name", "x"], 1, 'There is no key with the id "nobody".'],
    ["no option", ["nobody"], 2, "There is nothing to change. Pass an option, such as --name <name>."],
  ])("fails for %s", async (_title, argv, code, words) => {
    expect(await cli.run(["keys", "update", ...argv])).toEqual({ code, out: "", err: expect.stringContaining(words) });
  });
});

describe("keys list", () => {
  it("filters by state and text", async () => {
    await keys.create({ account: "acme", plan: "prepaid", name: "CI" });
    const revoked = await keys.create({ account: "acme", plan: "prepaid", name: "ci of old" });
    await keys.revoke(revoked.key.id);
    const namesOf = async (...options: string[]) => {
      const { out } = await cli.run(["keys", "list", ...options, "--json"]);
      return JSON.parse(out).keys.map(({ name }: { readonly name: string }) => name);
    };
    expect(await namesOf("--search", "ci")).toEqual(["CI", "ci of old"]);
    expect(await namesOf("--search", "ci", "--state", "revoked")).toEqual(["ci of old"]);
    expect(await namesOf("--state", "expired")).toEqual([]);
  });

  it("rejects an unknown state", async () => {
    const { code, err } = await cli.run(["keys", "list", "--state", "ended"]);
    expect([code, err]).toEqual([2, '--state cannot be "ended": write active, expired or revoked.\n']);
  });
});

import { afterEach, describe, expect, it, vi } from "vitest";
import { type Folder, makeFolder, start, startShell } from "./child.ts";

// Each test starts a process or several.
vi.setConfig({ testTimeout: 60_000 });

const folders: Folder[] = [];

const folderWith = (config: string): Folder => {
  const folder = makeFolder(config);
  folders.push(folder);
  return folder;
};

afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

const memory = `
import { memoryBalanceStore, memoryKeyStore } from "@tollgate/core";
const [balances, keys] = [memoryBalanceStore(), memoryKeyStore()];
`;

/** A ledger too large for the memory of a small process, made page by page; its \`close\` says that it was called. */
const endless = (count: number, waitMs = 0) => `${memory}
const entry = (at) => ({ sequence: BigInt(at), account: "acme", kind: "credit", amount: BigInt(at), reference: "id-" + at, reason: "top-up", at: new Date() });
balances.entries = async ({ limit, after = 0n }) => {
  if (${waitMs} > 0) await new Promise((resolve) => setTimeout(resolve, ${waitMs}));
  const entries = Array.from({ length: limit }, (_, at) => entry(Number(after) + at + 1));
  const next = entries.at(-1).sequence;
  return next >= ${count} ? { entries } : { entries, next };
};
export default { balances, close: () => console.error("closed") };
`;

const exported = ["ledger", "export", "--account", "acme", "--format", "jsonl"];

describe("the program", () => {
  it("runs a command and ends with its code", async () => {
    const folder = folderWith(`${memory} export default { balances, keys };`);
    const made = await start(folder, ["keys", "create", "--account", "acme", "--plan", "p", "--json"]).ended;
    expect([made.code, made.err, JSON.parse(made.out).key.account]).toEqual([0, "", "acme"]);
    expect((await start(folder, ["keys", "revoke", "nobody"]).ended).code).toBe(1);
    expect((await start(folder, ["keys", "nonsense"]).ended).code).toBe(2);
    expect((await start(folder, ["--version"]).ended).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("writes no colour and cuts nothing when its output is no terminal", async () => {
    const account = "customer-".repeat(20);
    const folder = folderWith(
      `${memory} await keys.create({ account: "${account}", plan: "p" }); export default { keys };`,
    );
    const { out } = await start(folder, ["keys", "list"]).ended;
    expect(out).toContain(account);
    expect(out).not.toContain("\u001b");
  });

  it("ends quietly when nobody reads on", async () => {
    const folder = folderWith(endless(1e7));
    const line = `tollgate ${exported.join(" ")} | head -n 2; echo "$${"{PIPESTATUS[0]}"}"`;
    const { out, err } = await startShell(folder, line).ended;
    expect(out).toMatch(/^\{"sequence":"1",.*\}\n\{"sequence":"2",.*\}\n0\n$/);
    expect(err).toBe("closed\n");
  });

  it("exports a ledger larger than its memory", async () => {
    const folder = folderWith(endless(400_000));
    const line = `NODE_OPTIONS=--max-old-space-size=32 tollgate ${exported.join(" ")} | wc -l`;
    const { out, err } = await startShell(folder, line).ended;
    expect([out.trim(), err]).toEqual(["400000", "closed\n"]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "closes the stores and ends with 130 and whole lines at %s",
    async (signal) => {
      const running = start(folderWith(endless(1e7, 20)), exported);
      await running.wrote(/"sequence":"2000"/);
      running.process.kill(signal);
      const { code, out, err } = await running.ended;
      expect(code).toBe(130);
      const last = JSON.parse(out.trimEnd().split("\n").at(-1) ?? "").sequence;
      expect(err).toBe(`closed\nInterrupted. Go on with --after ${last}.\n`);
    },
  );

  it("is ended at once by a second Ctrl-C", async () => {
    const config = `${endless(1e7, 20)}`.replace('console.error("closed")', "new Promise(() => {})");
    const running = start(folderWith(config), exported);
    await running.wrote(/"sequence":"1000"/);
    // What comes within 300 ms is the same Ctrl-C, so one is sent again until the process has gone.
    const pressing = setInterval(() => running.process.kill("SIGINT"), 200);
    const { code, err } = await running.ended;
    clearInterval(pressing);
    expect([code, err]).toEqual([130, ""]);
  });

  it("ends although the config file left something open, and says so", async () => {
    const folder = folderWith(`${memory} setInterval(() => {}, 1_000); export default { balances };`);
    const { code, out, err } = await start(folder, ["balance", "show", "acme", "--json"]).ended;
    expect([code, JSON.parse(out).posted]).toEqual([0, "0"]);
    expect(err).toMatch(
      /^The command has ended, but something that the config file opened is still open\. Close it in/,
    );
    expect((await start(folder, ["keys", "list"]).ended).code).toBe(2);
  });

  it("ends with a failure when a store never answers and nothing is left to wait for", async () => {
    const folder = folderWith(`${memory} balances.balance = () => new Promise(() => {}); export default { balances };`);
    const { code, err } = await start(folder, ["balance", "show", "acme", "--json"]).ended;
    expect(code).toBe(1);
    expect(JSON.parse(err).error).toEqual({ code: "failed", message: expect.stringContaining("never comes") });
  });

  it("says what failed in the config file where nobody waits for it, without its secrets", async () => {
    const folder = folderWith(`${memory}
balances.balance = () => new Promise(() => setInterval(() => undefined, 1_000));
setTimeout(() => { throw new Error("postgres://bob:s3cret@db/x is away"); }, 50);
export default { balances, close: () => console.error("closed") };`);
    const { code, out, err } = await start(folder, ["balance", "show", "acme", "--json"]).ended;
    expect([code, out]).toEqual([1, ""]);
    const [closed = "", told = ""] = err.split("\n");
    expect(closed).toBe("closed");
    const message = expect.stringContaining("has failed: postgres://(hidden)@db/x is away. Look for a client");
    expect(JSON.parse(told).error).toEqual({ code: "failed", message });
    expect(err).not.toContain("s3cret");
  });

  it("says which Node reads a config file in TypeScript, or reads it", async () => {
    const folder = folderWith("");
    const { code, err } = await startShell(
      folder,
      "rm tollgate.config.mjs; echo 'const stores: object = {}; export default stores;' > tollgate.config.ts; tollgate keys list",
    ).ended;
    expect(code).toBe(2);
    expect(err).toMatch(/Write it as JavaScript \(\.mjs\), or use Node 22\.18|This command needs `keys`/);
  });
});

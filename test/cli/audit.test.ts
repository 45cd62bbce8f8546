import { userInfo } from "node:os";
import { memoryAuditLog, memoryBalanceStore, memoryKeyStore, memoryTermsStore } from "@tollgate/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type CliUnderTest, openCli } from "./in-process.ts";

let audit: ReturnType<typeof memoryAuditLog>;
let cli: CliUnderTest;

beforeEach(() => {
  audit = memoryAuditLog();
  cli = openCli({ audit, keys: memoryKeyStore(), balances: memoryBalanceStore(), terms: memoryTermsStore() });
});
afterEach(() => cli.close());

const list = async (...options: string[]) =>
  JSON.parse((await cli.run(["audit", "list", ...options, "--json"])).out).entries;

it("audit list lists the newest changes with their states", async () => {
  await audit.append({ actor: "ann", action: "key.revoke", subject: "key:1", before: null, after: { a: [1] } });
  for (let count = 0; count < 620; count++) await audit.append({ actor: "ben", action: "x", subject: "y" });
  expect(await list()).toHaveLength(20);
  const all = await list("--last", "1000");
  expect(all).toHaveLength(621);
  expect(all.at(-1)).toMatchObject({ sequence: "1", actor: "ann", before: null, after: { a: [1] } });
});

it("audit list filters by actor, action and subject", async () => {
  await audit.append({ actor: "ann", action: "key.revoke", subject: "key:1" });
  await audit.append({ actor: "ben", action: "key.revoke", subject: "key:2" });
  await audit.append({ actor: "ben", action: "key.create", subject: "key:3" });
  const subjects = async (...options: string[]) =>
    (await list(...options)).map(({ subject }: { readonly subject: string }) => subject);
  expect(await subjects("--actor", "ben")).toEqual(["key:3", "key:2"]);
  expect(await subjects("--action", "key.revoke")).toEqual(["key:2", "key:1"]);
  expect(await subjects("--subject", "key:1", "--actor", "ann")).toEqual(["key:1"]);
});

it("audit list fits into a terminal", async () => {
  expect((await cli.run(["audit", "list"])).out).toBe("No changes were found.\n");
  await audit.append({ actor: "ann@".repeat(20), action: "key.revoke", subject: "key:".repeat(20) });
  const { out } = await cli.run(["audit", "list"], { columns: 72 });
  expect(out.split("\n").map((line) => line.length <= 72)).toEqual([true, true, true]);
  expect(out).toMatch(/^SEQUENCE +AT +ACTOR +ACTION +SUBJECT\n +1 +\S+Z +ann@/);
});

it("every change of the command line is recorded, with --actor or the user of the system", async () => {
  const change = async (...line: string[]) => JSON.parse((await cli.run([...line, "--json"])).out);
  const { key } = await change("keys", "create", "--account", "acme", "--plan", "pro", "--actor", "ann");
  await change("keys", "update", key.id, "--name", "CI", "--actor", "ann");
  await change("keys", "rotate", key.id, "--grace", "1h");
  await change("keys", "revoke", key.id);
  await change("balance", "credit", "acme", "5", "--id", "invoice-17");
  await change("balance", "credit", "acme", "5", "--id", "invoice-17");
  await change("balance", "debit", "acme", "1", "--actor", "ben");
  await change("spend", "set", "acme", "100");
  await change("spend", "clear", "acme");
  await change("terms", "accept", "acme", "terms-1");
  const entries = (await list("--last", "100")).toReversed();
  expect(entries.map(({ action }: { readonly action: string }) => action)).toEqual([
    ...["key.create", "key.created", "key.update", "key.rotate", "key.created", "key.revoke"],
    ...["account.credit", "account.credit", "account.credit.repeated", "account.debit"],
    ...["account.spend_limit.set", "account.spend_limit.remove", "terms.accept"],
  ]);
  const user = userInfo().username;
  expect(entries).toMatchObject([
    { actor: "ann", subject: "account:acme", after: { plan: "pro" } },
    { actor: "ann", subject: `key:${key.id}` },
    { actor: "ann", before: { name: null }, after: { name: "CI" } },
    { actor: user, after: { grace_seconds: 3_600 } },
    {},
    { actor: user, before: { revoked_at: null } },
    { actor: user, after: { amount: "5", reference: "invoice-17" } },
    {},
    {},
    { actor: "ben", after: { amount: "1" } },
    { after: { limit: "100", window: "month" } },
    { before: { limit: "100" } },
    { after: { version_id: "terms-1" } },
  ]);
});

it("a change is not made while the audit log is unavailable", async () => {
  const balances = memoryBalanceStore();
  const append = () => Promise.reject(new Error("disk full"));
  const broken = openCli({ audit: Object.assign(memoryAuditLog(), { append }), balances });
  const { code, err } = await broken.run(["balance", "credit", "acme", "5"]);
  expect([code, err]).toEqual([1, expect.stringContaining("disk full")]);
  expect(balances.balance("acme").posted).toBe(0n);
  broken.close();
});

import { memoryAuditLog } from "@tollgate/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type CliUnderTest, openCli } from "./in-process.ts";

let audit: ReturnType<typeof memoryAuditLog>;
let cli: CliUnderTest;

beforeEach(() => {
  audit = memoryAuditLog();
  cli = openCli({ audit });
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

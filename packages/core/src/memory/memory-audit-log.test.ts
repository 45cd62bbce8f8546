import { expect, it } from "vitest";
import { memoryAuditLog } from "./memory-audit-log.ts";

const change = { actor: "ann", action: "key.revoke", subject: "key:1" };

it("an audit log in memory keeps the newest entries with their sequence", async () => {
  const log = memoryAuditLog({ keep: 3 });
  for (let count = 0; count < 5; count++) await log.append(change);
  const { entries, next } = await log.list({ limit: 10 });
  expect(entries.map(({ sequence }) => sequence)).toEqual([5n, 4n, 3n]);
  expect(next).toBeUndefined();
});

it("an audit log in memory rejects options that it does not know, and a number that is not whole", () => {
  expect(() => memoryAuditLog({ keep: 0 })).toThrow(/keep must be a whole number of at least 1/);
  // @ts-expect-error -- a caller in JavaScript.
  expect(() => memoryAuditLog({ kept: 3 })).toThrow(/`kept` is not a member of its options/);
});

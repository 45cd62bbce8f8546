import { expect, it } from "vitest";
import { emptyBalance } from "./memory-accounts.ts";

it("has nothing, and cannot be changed", () => {
  expect(emptyBalance).toEqual({ posted: 0n, held: 0n, available: 0n });
  expect(emptyBalance).toSatisfy(Object.isFrozen);
});

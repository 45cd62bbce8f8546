import { expect, it } from "vitest";
import { HoldAccounts } from "./hold-accounts.ts";

it("caches the first account of a hold until enough newer holds have been added", () => {
  const accounts = new HoldAccounts(2);
  accounts.remember("a", "one");
  accounts.remember("a", "another");
  accounts.remember("b", "one");
  accounts.remember("c", "one");
  expect(["a", "b", "c"].map((id) => accounts.get(id))).toEqual(["one", "one", "one"]);
  accounts.forget("c");
  accounts.forget("a");
  expect(["a", "b", "c"].map((id) => accounts.get(id))).toEqual([undefined, "one", undefined]);
  for (const id of ["d", "e", "f"]) accounts.remember(id, "two");
  expect(["b", "d", "e", "f"].map((id) => accounts.get(id))).toEqual([undefined, "two", "two", "two"]);
});

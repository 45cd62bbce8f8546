import { createGateway, memoryBalanceStore, memoryKeyStore, memorySessionStore } from "@tollgate/core";
import { expect, it } from "vitest";
import { assistants } from "./assistants.ts";

/** Creates a gateway with assistants whose options a host in JavaScript may pass. */
const createWith = (given: object, more: object = {}) =>
  Reflect.apply(createGateway, undefined, [
    {
      keys: memoryKeyStore(),
      balances: memoryBalanceStore(),
      plans: [{ id: "prepaid", billing: "prepaid" }],
      models: [],
      extensions: [Reflect.apply(assistants, undefined, [given])],
      ...more,
    },
  ]);

it.each([
  ["no runner", { list: [], sessions: memorySessionStore() }, "`assistants.runner` is missing."],
  [
    "a list that is a number",
    { list: 5, sessions: memorySessionStore(), runner: {} },
    "`assistants.list` must be an array of assistants, not 5.",
  ],
])("refuses %s", (_name, given, problem) => {
  expect(() => createWith(given)).toThrow(problem);
});

it("reports its problems in one error with those of the gateway", () => {
  const list = [{ id: "", companyId: "c", model: "m" }];
  expect(() => createWith({ list }, { maxInFlight: 0 })).toThrow(
    /`maxInFlight` must be.*\n(.*\n)*- `assistants\.sessions` is missing\..*\n(.*\n)*- `assistants\.list \(0\)`: id: is empty/,
  );
});

import { expect, it } from "vitest";
import { ChangeListeners } from "./change-listeners.ts";

it("calls every listener, also after one that throws, and then throws the first error", () => {
  const changes = new ChangeListeners();
  const calls: (string | undefined)[] = [];
  const end = changes.add(() => {
    throw new Error("first");
  });
  changes.add((keyId) => calls.push(keyId));
  expect(() => changes.notify("one")).toThrow("first");
  end();
  changes.notify(undefined);
  expect(calls).toEqual(["one", undefined]);
});

import { expect, it } from "vitest";
import { ChangeListeners } from "./change-listeners.ts";

it("tells everyone of a change, also behind one who throws, and then throws what was thrown first", () => {
  const changes = new ChangeListeners();
  const heard: (string | undefined)[] = [];
  const end = changes.add(() => {
    throw new Error("first");
  });
  changes.add((keyId) => heard.push(keyId));
  expect(() => changes.tell("one")).toThrow("first");
  end();
  changes.tell(undefined);
  expect(heard).toEqual(["one", undefined]);
});

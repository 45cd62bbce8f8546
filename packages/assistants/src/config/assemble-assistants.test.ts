import type { ModelConfig } from "@tollgate/core";
import { expect, it } from "vitest";
import type { AssistantConfig } from "../definition/assistant-config.ts";
import { assistantCatalogue } from "./assemble-assistants.ts";
import { checkAssistants } from "./check-assistants.ts";

const assistant = (id: string, changes: object = {}): AssistantConfig => ({
  id,
  companyId: "c",
  model: "m",
  ...changes,
});
const unexpected = () => expect.unreachable();
const model: ModelConfig = { id: "m", maxOutputTokens: 10, price: "free", targets: [] };

it("contains the assistants of a list by id, in order", () => {
  const catalogue = assistantCatalogue([assistant("b"), assistant("a")], unexpected);
  expect([...catalogue.current().keys()]).toEqual(["b", "a"]);
});

it("parses the list that a function returns again only when it is another array", () => {
  let list = [assistant("a")];
  const catalogue = assistantCatalogue(() => list, unexpected);
  const first = catalogue.current();
  expect(catalogue.current()).toBe(first);
  list = [assistant("b")];
  expect([...catalogue.current().keys()]).toEqual(["b"]);
});

it("reports a fault and keeps the last valid list, and requires the first list to be valid", () => {
  const faults: unknown[] = [];
  let source = () => [assistant("a")];
  const catalogue = assistantCatalogue(
    () => source(),
    (fault) => faults.push(fault),
  );
  const bad = [assistant("a"), assistant("a"), assistant("", { modle: "m" })];
  source = () => bad;
  expect([...catalogue.current().keys()]).toEqual(["a"]);
  source = () => {
    throw new Error("The database is away.");
  };
  expect([...catalogue.current().keys()]).toEqual(["a"]);
  expect(faults.map(String)).toEqual([
    "Error: The list of assistants cannot be used:\n" +
      "- `assistants.list (2)`: modle: is not a member of an assistant. Did you mean model?\n" +
      "- `assistants.list (2)`: id: is empty. Give at least one character.\n" +
      '- `assistants.list` has "a" twice. Give each its own id.',
    "Error: The database is away.",
  ]);
  expect(() => assistantCatalogue(() => bad, unexpected)).toThrow("cannot be used");
});

it("requires configured models when these are a list", () => {
  const list = [assistant("a"), assistant("b", { model: "gone" })];
  expect(checkAssistants(list, [model])).toEqual([
    '`assistants.list (b)`: model: is "gone", which is not a chat model among `models`. Give the id of one, or add that model.',
  ]);
  expect(checkAssistants(list, () => [model])).toEqual([]);
  expect(checkAssistants(list)).toEqual([]);
});

it("rejects a list that is not an array or contains other values", () => {
  expect(checkAssistants(JSON.parse("{}"))).toEqual([
    "`assistants.list` is not an array. Give an array of assistants.",
  ]);
  expect(checkAssistants(JSON.parse('[null,"a"]'), [model])).toEqual([
    "`assistants.list (0)`: The configuration must be an object.",
    "`assistants.list (1)`: The configuration must be an object.",
  ]);
});

import { describe, expect, it } from "vitest";
import { checkModels } from "../ports/model-schema.ts";
import type { ProviderAdapter } from "../ports/provider-adapter.ts";
import { readModel } from "./model.ts";
import { findByAlias } from "./model-catalogue.ts";

const provider: ProviderAdapter = {
  name: "up",
  capabilities: { streamUsage: true, outputCapField: "max_tokens", pricedFields: [], cancel: "stops" },
  complete: () => Promise.reject(new Error("not called")),
  stream: () => Promise.reject(new Error("not called")),
};

const model = (id: string, ...aliases: string[]) =>
  ({ id, aliases, maxOutputTokens: 10, price: "free", targets: [{ provider, model: id }] }) as const;

describe("findByAlias", () => {
  const models = [model("first", "claude-*", "*-mini"), model("second", "claude-haiku-*", "claude-4")];

  it.each([
    ["claude-4", "second", "an alias before a pattern"],
    ["claude-haiku-3", "second", "the longest of several patterns"],
    ["claude-opus", "first", "a pattern"],
    ["gpt-mini", "first", "a pattern with its star in front"],
    ["claude-*", "first", "the text of a pattern"],
    ["Claude-4", undefined, "no name in another case"],
    ["other", undefined, "no name at all"],
  ])("finds %s as %s: %s", (name, id, _reason) => {
    const read = models.map((config) => readModel(config));
    for (const list of [read, read.toReversed()]) expect(findByAlias(list, name)?.id).toBe(id);
  });
});

describe("checkModels", () => {
  it.each([
    ["two models have an alias", [model("a", "x-*"), model("b", "x-*")], "x-*"],
    ["an alias is the id of another model", [model("a", "b"), model("b")], "b"],
    ["an alias is its own id", [model("a", "a")], "a"],
    ["an alias is there twice", [model("a", "x", "x")], "x"],
  ])("refuses models if %s", (_, models, name) => {
    expect(checkModels(models)).toEqual([
      `\`models\` has the alias "${name}" twice, or a model with this id. Leave it at one model.`,
    ]);
  });

  it("refuses aliases that are not texts", () => {
    expect(checkModels([{ ...model("a"), aliases: [""] }])).toEqual([
      expect.stringContaining("`models (a).aliases[0]` "),
    ]);
    expect(checkModels([{ ...model("a"), aliases: "x" }])).toEqual([expect.stringContaining("`models (a).aliases` ")]);
  });
});

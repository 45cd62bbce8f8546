import type { AssistantConfig } from "@tollgate/core/assistants";
import { afterEach, describe, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";

let under: AssistantUnderTest;

afterEach(() => under?.close());

type Settings = NonNullable<AssistantConfig["settings"]>;

const set = async (settings: Settings) => {
  under = await assistantUnderTest({ assistant: () => ({ settings }) });
};

const find = { type: "function", function: { name: "find_order" } };

/** What each call of the model was asked, less its messages and tools. */
const asked = () =>
  under.provider.calls.map(({ request: { messages: _, tools: __, model: ___, ...parameters } }) => parameters);

describe("the settings of an assistant", () => {
  it("go with each call of the model, and the choice of tools with the first alone", async () => {
    const format = { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } };
    await set({ temperature: 0.5, max_completion_tokens: 50, response_format: format, tool_choice: "required" });
    under.think((_request, call) =>
      call === 1 ? { calls: [["find_order", { number: 1 }]] } : { content: '{"state":"sent"}' },
    );
    expect((await under.say(await under.session({ customer: "Ann" }))).status).toBe(200);
    const always = { temperature: 0.5, max_completion_tokens: 50, response_format: format };
    expect(asked()).toEqual([{ ...always, tool_choice: "required" }, always]);
  });

  it.each(["auto", "none", find] as const)("have the first call choose %j", async (choice) => {
    await set({ tool_choice: choice });
    under.think(() => ({ content: "Hello." }));
    const id = await under.session();
    await under.say(id);
    await under.say(id);
    expect(asked()).toEqual([{ tool_choice: choice }, { tool_choice: choice }]);
  });

  it("have no call made by a first call that may make none", async () => {
    await set({ tool_choice: "none" });
    under.think(() => ({ content: "I would look.", calls: [["find_order", { number: 1 }]] }));
    const response = await under.say(await under.session({ customer: "Ann" }));
    expect((await response.json()).choices).toMatchObject([
      { finish_reason: "stop", message: { content: "I would look." } },
    ]);
    expect(under.target.received).toEqual([]);
  });

  it("end with `none` at the limit of rounds", async () => {
    under = await assistantUnderTest({
      assistant: () => ({ settings: { tool_choice: "required" } }),
      assistants: { turns: { maxRounds: 1 } },
    });
    under.think((_request, call) => (call === 1 ? { calls: [["find_order", { number: 1 }]] } : { content: "Done." }));
    await under.say(await under.session({ customer: "Ann" }));
    expect(asked()).toEqual([{ tool_choice: "required" }, { tool_choice: "none" }]);
  });

  it("bound what a call is held for", async () => {
    await set({ max_completion_tokens: 10 });
    under.think(() => ({ content: "Hello." }));
    await under.say(await under.session());
    expect(under.provider.calls[0]?.request.max_completion_tokens).toBe(10);
    expect(await under.balances.verify()).toEqual([]);
  });

  it.each([
    [{ temperature: 3 }, "settings.temperature"],
    [{ max_completion_tokens: 0 }, "settings.max_completion_tokens"],
    [{ reasoning_effort: "" }, "settings.reasoning_effort"],
    [{ response_format: { type: "text" } }, "settings.response_format"],
    [{ response_format: { type: "json_schema" } }, "settings.response_format"],
    [{ tool_choice: { type: "function", function: { name: "unknown" } } }, "settings.tool_choice"],
    [{ tool_choice: { type: "function" } }, "settings.tool_choice"],
  ] satisfies readonly (readonly [Settings, string])[])(
    "are checked when the gateway is made: %j",
    async (settings, path) => {
      await expect(set(settings)).rejects.toThrow(`${path}: `);
    },
  );

  it("choose no tool where there is none", async () => {
    await expect(
      assistantUnderTest({ assistant: () => ({ triggers: [], settings: { tool_choice: "auto" } }) }),
    ).rejects.toThrow("settings.tool_choice: has no effect without triggers");
  });
});

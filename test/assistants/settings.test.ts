import type { AssistantConfig } from "@tollgate/assistants";
import { afterEach, describe, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";

let under: AssistantUnderTest;

afterEach(() => under?.close());

type Settings = NonNullable<AssistantConfig["settings"]>;

const assistantWith = async (settings: Settings) => {
  under = await assistantUnderTest({ assistant: () => ({ settings }) });
};

const find = { type: "function", function: { name: "find_order" } };

/** The parameters of each model call, without its messages and tools. */
const sentParameters = () =>
  under.provider.calls.map(({ request: { messages: _, tools: __, model: ___, ...parameters } }) => parameters);

describe("the settings of an assistant", () => {
  it("are sent with each model call, and tool_choice only with the first", async () => {
    const format = { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } };
    await assistantWith({
      temperature: 0.5,
      max_completion_tokens: 50,
      response_format: format,
      tool_choice: "required",
    });
    under.think((_request, call) =>
      call === 1 ? { calls: [["find_order", { number: 1 }]] } : { content: '{"state":"sent"}' },
    );
    expect((await under.say(await under.session({ customer: "Ann" }))).status).toBe(200);
    const always = { temperature: 0.5, max_completion_tokens: 50, response_format: format };
    expect(sentParameters()).toEqual([{ ...always, tool_choice: "required" }, always]);
  });

  it.each(["auto", "none", find] as const)(
    "are sent with the tool_choice %j in the first call of each turn",
    async (choice) => {
      await assistantWith({ tool_choice: choice });
      under.think(() => ({ content: "Hello." }));
      const id = await under.session();
      await under.say(id);
      await under.say(id);
      expect(sentParameters()).toEqual([{ tool_choice: choice }, { tool_choice: choice }]);
    },
  );

  it("prevent tool calls in the first call if tool_choice is none", async () => {
    await assistantWith({ tool_choice: "none" });
    under.think(() => ({ content: "I would look.", calls: [["find_order", { number: 1 }]] }));
    const response = await under.say(await under.session({ customer: "Ann" }));
    expect((await response.json()).choices).toMatchObject([
      { finish_reason: "stop", message: { content: "I would look." } },
    ]);
    expect(under.target.received).toEqual([]);
  });

  it("are overridden by tool_choice none at the limit of rounds", async () => {
    under = await assistantUnderTest({
      assistant: () => ({ settings: { tool_choice: "required" } }),
      assistants: { turns: { maxRounds: 1 } },
    });
    under.think((_request, call) => (call === 1 ? { calls: [["find_order", { number: 1 }]] } : { content: "Done." }));
    await under.say(await under.session({ customer: "Ann" }));
    expect(sentParameters()).toEqual([{ tool_choice: "required" }, { tool_choice: "none" }]);
  });

  it("limit the hold by max_completion_tokens", async () => {
    await assistantWith({ max_completion_tokens: 10 });
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
    "are checked when the gateway is created: %j",
    async (settings, path) => {
      await expect(assistantWith(settings)).rejects.toThrow(`${path}: `);
    },
  );

  it("reject tool_choice without triggers", async () => {
    await expect(
      assistantUnderTest({ assistant: () => ({ triggers: [], settings: { tool_choice: "auto" } }) }),
    ).rejects.toThrow("settings.tool_choice: has no effect without triggers");
  });
});

import type { ChatCompletionChunk } from "@tollgate/core/provider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AssistantUnderTest, assistantUnderTest } from "../support/assistant-under-test.ts";
import { allEvents } from "../support/read-stream.ts";

let under: AssistantUnderTest;

beforeEach(async () => {
  under = await assistantUnderTest();
});

afterEach(() => under.close());

const call = (number: unknown, members: object = {}) => ({
  type: "function",
  function: { name: "find_order", arguments: JSON.stringify({ number }) },
  ...members,
});

/** Scripts a model that returns exactly these calls, with or without streaming, and then answers "Found." */
function scriptCalls(toolCalls: readonly object[]): void {
  let round = 0;
  // Parsed from JSON, so that calls of an invalid shape compile: an upstream can send them.
  const message = () =>
    JSON.parse(
      ++round === 1
        ? JSON.stringify({ role: "assistant", content: null, tool_calls: toolCalls })
        : '{"role":"assistant","content":"Found."}',
    );
  under.provider.script = {
    complete: async () => ({ choices: [{ message: message(), finish_reason: "stop" }] }),
    stream: async function* () {
      yield { choices: [{ index: 0, delta: message(), finish_reason: "stop" }] };
    },
  };
}

const results = () =>
  (under.provider.calls[1]?.request.messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.parse(String(content)));

describe.each([false, true])("a model with irregular tool calls (stream: %j)", (stream) => {
  const ask = async () => {
    const response = await under.say(await under.session({ customer: "Ann" }), { stream });
    expect(await response.text()).toContain("Found.");
  };

  it("gets unique ids for calls without an id or with a repeated one", async () => {
    const ids = [{ id: "a" }, { id: "a" }, {}, { id: "" }];
    scriptCalls(ids.map((id, index) => call(index, { index, ...id })));
    await ask();
    const messages = under.provider.calls[1]?.request.messages ?? [];
    const callIds = messages.flatMap(({ tool_calls: calls }) => calls ?? []).map(({ id }) => id);
    const resultIds = messages.flatMap(({ role, tool_call_id: id }) => (role === "tool" ? [id] : []));
    expect(resultIds).toEqual(callIds);
    expect(new Set(callIds).size).toBe(4);
    expect(under.target.received).toHaveLength(4);
  });

  it("may send arguments as an object", async () => {
    scriptCalls([call(0, { id: "a", function: { name: "find_order", arguments: { number: 7 } } })]);
    await ask();
    expect(under.target.received.map(({ url }) => url)).toEqual(["/orders/7?customer=Ann"]);
  });

  it.each([
    ["no name", { name: "", arguments: "{}" }],
    ["no arguments", { name: "find_order" }],
    ["huge arguments", { name: "find_order", arguments: JSON.stringify({ number: 1, text: "x".repeat(100_000) }) }],
    ["deep arguments", { name: "find_order", arguments: `{"number":${"[".repeat(50_000)}` }],
    ["null", { name: "find_order", arguments: "null" }],
    ["the name __proto__", { name: "__proto__", arguments: "{}" }],
  ])("gets invalid_arguments as the result: %s", async (_name, called) => {
    scriptCalls([{ id: "a", type: "function", function: called }]);
    await ask();
    expect(under.target.received).toEqual([]);
    expect(results()).toMatchObject([{ ok: false, error: { code: "invalid_arguments", outcome: "not_sent" } }]);
  });
});

describe("a model whose finish_reason contradicts its answer", () => {
  /** Scripts the model's answer in each round, with or without streaming and with or without a finish reason. */
  function scriptRounds(rounds: readonly { readonly message: object; readonly reason: string | null }[]): void {
    let round = 0;
    const next = () => rounds[round++] ?? { message: {}, reason: "stop" };
    under.provider.script = {
      complete: async () => {
        const { message, reason } = next();
        return JSON.parse(JSON.stringify({ choices: [{ message, finish_reason: reason }] }));
      },
      stream: async function* () {
        const { message, reason } = next();
        yield { choices: [{ index: 0, delta: { ...message }, finish_reason: null }] };
        yield { choices: [{ index: 0, delta: {}, finish_reason: reason ?? "stop" }] };
      },
    };
  }

  const reasonsOf = async (stream: boolean) => {
    const response = await under.say(await under.session({ customer: "Ann" }), { stream });
    if (!stream) return [(await response.json()).choices[0].finish_reason];
    const frames = (await allEvents(response))
      .filter((event) => event.startsWith("{"))
      .map((event) => JSON.parse(event));
    return frames.flatMap(({ choices }) => choices[0]?.finish_reason ?? []);
  };

  it.each(
    [null, "stop", "length", "function_call"].flatMap((reason) => [[reason, false] as const, [reason, true] as const]),
  )("has its tool calls executed with the finish_reason %j (stream: %j)", async (reason, stream) => {
    const found = { role: "assistant", content: "Found." };
    scriptRounds([
      { message: { role: "assistant", content: null, tool_calls: [call(1, { id: "a", index: 0 })] }, reason },
      { message: found, reason: "stop" },
    ]);
    expect(await reasonsOf(stream)).toEqual(["stop"]);
    expect(under.target.received.map(({ url }) => url)).toEqual(["/orders/1?customer=Ann"]);
  });

  it.each(
    ["tool_calls", "function_call", null].flatMap((reason) => [[reason, false] as const, [reason, true] as const]),
  )("ends the turn without tool calls and with the finish_reason %j (stream: %j)", async (reason, stream) => {
    scriptRounds([{ message: { role: "assistant", content: "Hello." }, reason }]);
    expect(await reasonsOf(stream)).toEqual(["stop"]);
    expect(under.provider.calls).toHaveLength(1);
  });
});

describe("a model that answers in content parts", () => {
  it("has their text in its answer and in the history of later turns", async () => {
    const content = JSON.parse(
      '[{"type":"thinking","thinking":[]},{"type":"text","text":"It is "},{"type":"text","text":"on its way."},5]',
    );
    under.provider.script = {
      complete: async () => ({ choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] }),
    };
    const id = await under.session();
    for (const _turn of [1, 2]) {
      const answer = await (await under.say(id)).json();
      expect(answer).toMatchObject({ choices: [{ message: { content: "It is on its way." } }] });
    }
    expect(under.provider.calls[1]?.request.messages[2]).toEqual({ role: "assistant", content: "It is on its way." });
  });
});

describe("a model that returns several choices", () => {
  const chunk = (index: number, content: string): ChatCompletionChunk => ({
    choices: [{ index, delta: { content }, finish_reason: null }],
  });

  it("has only the first one streamed and stored", async () => {
    under.provider.script = {
      stream: async function* () {
        for (const word of ["One ", "two."]) {
          yield chunk(0, word);
          yield chunk(1, "Something else.");
        }
        yield { choices: [0, 1].map((index) => ({ index, delta: {}, finish_reason: "stop" })) };
      },
    };
    const id = await under.session();
    const events = (await allEvents(await under.say(id, { stream: true }))).filter((event) => event.startsWith("{"));
    const contents = events.flatMap((event) => JSON.parse(event).choices).map(({ delta }) => delta.content ?? "");
    expect(contents.join("")).toBe("One two.");
    const { data } = await (await under.ask("GET", `/${id}/messages`)).json();
    expect(data.at(-1)).toMatchObject({ role: "assistant", content: "One two." });
  });
});

describe.each([false, true])("the thoughts of a model before a call (stream: %j)", (stream) => {
  it.each([
    [true, "I need the order."],
    [undefined, undefined],
    [false, undefined],
  ])("go back in the turn if the capability `thoughts` is %j, and are not stored", async (thoughts, expected) => {
    scriptCalls([call(0, { id: "a" })]);
    const { script } = under.provider;
    const members = { reasoning_content: "I need the order." };
    under.provider.script = {
      complete: async (asked) => {
        const answer = (await script.complete?.(asked)) ?? { choices: [] };
        return { choices: answer.choices.map((each) => ({ ...each, message: { ...each.message, ...members } })) };
      },
      stream: async function* (asked) {
        for await (const chunk of script.stream?.(asked) ?? []) {
          yield { choices: chunk.choices.map((each) => ({ ...each, delta: { ...each.delta, ...members } })) };
        }
      },
      ...(thoughts === undefined ? {} : { capabilities: { thoughts } }),
    };
    const id = await under.session({ customer: "Ann" });
    expect(await (await under.say(id, { stream })).text()).toContain("Found.");
    const sent = under.provider.calls[1]?.request.messages.find(({ tool_calls: calls }) => calls != null);
    expect(sent?.["reasoning_content"]).toBe(expected);
    expect(await (await under.ask("GET", `/${id}/messages`)).text()).not.toContain("I need the order.");
  });
});

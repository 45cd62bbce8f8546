import { describe, expect, it } from "vitest";
import { ResponseIds, toOutputItems } from "./output-items.ts";
import { StreamedOutput } from "./streamed-output.ts";

const ids = new ResponseIds("00000000-0000-4000-8000-000000000000");
const custom = new Map([["patch", "custom"]]);

/** Runs deltas through a stream and ends it. */
function run(deltas: readonly object[], status: "completed" | "incomplete" = "completed") {
  const output = new StreamedOutput(ids, custom);
  const events = [...deltas.flatMap((delta) => output.add({ ...delta })), ...output.close(status)];
  return { events, types: events.map(({ type }) => type.replace("response.", "")), items: output.items };
}

const piece = (index: number, args: string, name?: string) => ({
  tool_calls: [
    name === undefined
      ? { index, function: { arguments: args } }
      : { index, id: `call_${name}`, type: "function", function: { name, arguments: args } },
  ],
});

describe("the events of a streamed output", () => {
  it("come in the order of OpenAI's reference for a text", () => {
    const { types, items } = run([{ role: "assistant", content: "" }, { content: "Hel" }, { content: "lo" }]);
    expect(types).toEqual([
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
    ]);
    expect(items).toMatchObject([{ type: "message", status: "completed", content: [{ text: "Hello" }] }]);
  });

  it("end reasoning before the message, and a text before a refusal", () => {
    const { types } = run([{ reasoning_content: "Hm" }, { content: "No" }, { refusal: "I cannot" }]);
    expect(types).toEqual([
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "content_part.added",
      "refusal.delta",
      "refusal.done",
      "content_part.done",
      "output_item.done",
    ]);
  });

  it("keep the pieces of alternating calls apart", () => {
    const deltas = [piece(0, '{"a"', "f"), piece(1, "{", "g"), piece(0, ":1}"), piece(1, "}")];
    const { events, items } = run(deltas);
    const deltasOf = (place: number) =>
      events.flatMap((event) =>
        event.type === "response.function_call_arguments.delta" && event.output_index === place ? [event.delta] : [],
      );
    expect([deltasOf(0), deltasOf(1)]).toEqual([
      ['{"a"', ":1}"],
      ["{", "}"],
    ]);
    expect(items).toMatchObject([
      { type: "function_call", call_id: "call_f", name: "f", arguments: '{"a":1}' },
      { type: "function_call", call_id: "call_g", name: "g", arguments: "{}" },
    ]);
  });

  it("have the input of a custom tool in place of arguments", () => {
    const { types, items } = run([piece(0, '{"inp', "patch"), piece(0, 'ut":"*** Begin"}')]);
    expect(types).toEqual([
      "output_item.added",
      "custom_tool_call_input.delta",
      "custom_tool_call_input.done",
      "output_item.done",
    ]);
    expect(items).toMatchObject([{ type: "custom_tool_call", call_id: "call_patch", input: "*** Begin" }]);
  });

  it("mark only the last item of a truncated answer as incomplete", () => {
    const { items } = run([{ content: "I call" }, piece(0, '{"a', "f")], "incomplete");
    expect(items).toMatchObject([{ status: "completed" }, { status: "incomplete" }]);
  });

  it("end in the items of the same answer in one piece", () => {
    const call = { id: "call_f", type: "function", function: { name: "f", arguments: "{}" } };
    const thought = { type: "thinking", thinking: [{ type: "text", text: "Hm" }] };
    const content = [thought, { type: "text", text: "Hello" }];
    const message = { reasoning_content: "Hm", content, tool_calls: [call] };
    const reasoning = { reasoning_content: "Hm", reasoning: "Hm" };
    const { items } = run([reasoning, { content: "Hel" }, { content: "lo" }, piece(0, "{}", "f")]);
    expect(items[0]).toMatchObject({ summary: [{ text: "Hm" }] });
    expect(items).toEqual(toOutputItems(message, ids, custom, "completed"));
  });
});

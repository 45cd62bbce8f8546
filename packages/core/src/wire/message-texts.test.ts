import { describe, expect, it } from "vitest";
import { messageTexts } from "./message-texts.ts";

const thought = (text: string) => ({ type: "thinking", thinking: [{ type: "text", text }] });

describe("the texts of a recorded delta or message", () => {
  it.each([
    // https://github.com/BerriAI/litellm/issues/16272
    ["a thought of Mistral", { content: [thought("'s a greeting")] }, { reasoning: "'s a greeting", text: "" }],
    // https://github.com/MoonshotAI/kimi-code/issues/3928
    [
      "what StepFun and mlx-vlm send under both names",
      { role: "assistant", content: "", reasoning: "The", reasoning_content: "The" },
      { reasoning: "The", text: "" },
    ],
    // https://github.com/can1357/oh-my-pi/issues/2991
    ["GLM, which sends null", { content: "2", reasoning_content: null }, { reasoning: "", text: "2" }],
  ])("are read: %s", (_what, message, texts) => {
    expect(messageTexts(message)).toEqual({ ...texts, refusal: "" });
  });
});

describe("reasoning under several names", () => {
  const parts = [thought("Let "), thought("me see."), { type: "text", text: "Yes." }];

  it.each([
    ["once if the parts repeat it", { reasoning_content: "Let me see.", content: parts }, "Let me see."],
    [
      "once if all repeat it",
      { reasoning_content: "Let me see.", reasoning: "Let me see.", content: parts },
      "Let me see.",
    ],
    ["whole if the parts continue it", { reasoning_content: "Hm. ", content: parts }, "Hm. Let me see."],
    [
      "whole if one name continues the other",
      { reasoning_content: "Hm. ", reasoning: "Well.", content: "Yes." },
      "Hm. Well.",
    ],
  ])("is read %s", (_how, message, reasoning) => {
    expect(messageTexts(message)).toEqual({ reasoning, text: "Yes.", refusal: "" });
  });
});

it.each([
  [
    "thoughts between texts",
    { content: [thought("Plan."), { type: "text", text: "Yes" }, thought(" Review."), { type: "text", text: "." }] },
    { reasoning: "Plan. Review.", text: "Yes." },
  ],
  ["texts among the parts", { content: ["Hel", { type: "text", text: "lo" }] }, { text: "Hello" }],
  ["a thought in one text", { content: [{ type: "thinking", thinking: "Hm." }] }, { reasoning: "Hm." }],
  ["a refusal", { content: null, refusal: "No." }, { refusal: "No." }],
  [
    "nothing of other values",
    { content: [null, 5, {}, { thinking: null }], reasoning: { effort: "low" }, refusal: null },
    {},
  ],
])("reads %s", (_what, message, texts) => {
  expect(messageTexts(message)).toEqual({ reasoning: "", text: "", refusal: "", ...texts });
});

import fc from "fast-check";

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("", " word", "\n", '"', "\\", "日本", "🦊", "\u2028", "data: [DONE]\n\n", "\u0000"),
);

const head = fc.record(
  {
    id: fc.constantFrom("chatcmpl-1", "chatcmpl-1", ""),
    object: fc.constant("chat.completion.chunk"),
    created: fc.constantFrom(1_741_570_283, 0),
    model: fc.constantFrom("gpt-4o-mini", "public/model"),
    system_fingerprint: fc.constantFrom("fp_1", null),
    usage: fc.constantFrom(null, null, { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }),
    obfuscation: fc.constantFrom("a", "bc", "def"),
    ["__proto__"]: fc.constant({ polluted: true }),
  },
  { requiredKeys: ["object"] },
);

const textDelta = fc.oneof(
  fc.record({ content: text }),
  fc.record({ content: text }),
  fc.record({ reasoning_content: text, content: fc.constantFrom(null, "") }),
  fc.record({ role: fc.constant("assistant"), content: text }),
  fc.record({ content: text, reasoning: text }),
  fc.record({ refusal: text }),
  fc.record({ content: fc.constantFrom("a", null), function_call: fc.record({ arguments: text }) }),
  fc.record({ content: fc.tuple(fc.record({ text })), reasoning: fc.constantFrom("a", null) }),
  fc.constant({}),
);
const toolDelta = fc
  .record(
    {
      index: fc.constantFrom(0, 1),
      id: fc.constantFrom("call_1", "call_2", null),
      type: fc.constant("function"),
      function: fc.record({ name: fc.constantFrom("look_up", ""), arguments: text }, { requiredKeys: ["arguments"] }),
    },
    { requiredKeys: ["index", "id", "function"] },
  )
  .map((call) => ({ tool_calls: [call] }));

const choice = fc.record(
  {
    index: fc.constantFrom(0, 0, 0, 1),
    delta: fc.oneof({ weight: 4, arbitrary: textDelta }, { weight: 1, arbitrary: toolDelta }),
    logprobs: fc.constant(null),
    finish_reason: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, fc.constantFrom("stop", "length", "")),
  },
  { requiredKeys: ["index", "delta", "finish_reason"] },
);

/** Frames with one envelope and few shapes, as in real streams, with unusual frames between them. */
export const anyFrames = fc
  .tuple(
    head,
    fc.array(fc.oneof({ weight: 6, arbitrary: choice.map((one) => [one]) }, fc.array(choice, { maxLength: 3 })), {
      minLength: 1,
      maxLength: 12,
    }),
    fc.array(head, { maxLength: 2 }),
  )
  .map(([same, choices, others]) =>
    choices.map((list, at) => ({ ...(at > 0 && at % 5 === 0 ? (others[at % 2] ?? same) : same), choices: list })),
  );

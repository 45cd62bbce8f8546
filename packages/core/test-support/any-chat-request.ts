import fc from "fast-check";
import { mostly, odd, seldom, anyText as text } from "./odd-values.ts";

const mark = fc.constantFrom({ type: "ephemeral" }, { type: "ephemeral", ttl: "1h" }, null);
const more = { cache_control: mostly(mark), x: odd };
const url = fc.constantFrom("https://h.example/é", "data:image/png;base64,aGk=", "data:text/plain,x", "a\\b", "");

const part = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      { type: mostly(fc.constant("text")), text: mostly(text), ...more, content: seldom, image_url: seldom },
      { requiredKeys: ["type", "text"] },
    ),
  },
  fc.record(
    {
      type: mostly(fc.constant("image_url")),
      image_url: mostly(
        fc.record({ url: mostly(url), detail: mostly(fc.constantFrom("low", null)) }, { requiredKeys: ["url"] }),
      ),
      ...more,
    },
    { requiredKeys: ["type", "image_url"] },
  ),
  { weight: 1, arbitrary: odd },
);
const call = fc.record(
  {
    id: mostly(text),
    type: mostly(fc.constant("function")),
    function: mostly(
      fc.record({ name: mostly(text), arguments: mostly(text), x: odd }, { requiredKeys: ["name", "arguments"] }),
    ),
    ...more,
  },
  { requiredKeys: ["id", "type", "function"] },
);
const message = fc.record(
  {
    role: mostly(fc.constantFrom("system", "developer", "user", "assistant", "tool")),
    content: mostly(fc.oneof(text, fc.constant(null), fc.array(mostly(part), { maxLength: 3 }))),
    name: mostly(fc.oneof(text, fc.constant(null))),
    tool_call_id: mostly(fc.oneof(text, fc.constant(null))),
    tool_calls: mostly(fc.oneof(fc.array(mostly(call), { maxLength: 2 }), fc.constant(null))),
    audio: seldom,
    "so-urce": seldom,
    type: seldom,
    ...more,
  },
  { requiredKeys: ["role"] },
);
const tool = fc.record(
  {
    type: mostly(fc.constant("function")),
    function: mostly(
      fc.record(
        {
          name: mostly(text),
          description: mostly(fc.oneof(text, fc.constant(null))),
          parameters: mostly(fc.dictionary(text, odd)),
          ...more,
        },
        { requiredKeys: ["name", "parameters"] },
      ),
    ),
    ...more,
  },
  { requiredKeys: ["type", "function"] },
);
/** Mostly valid chat completion requests, in which any member may have another value. */
export const anyChatRequest = fc.record(
  {
    model: mostly(text),
    messages: mostly(fc.array(mostly(message), { minLength: 1, maxLength: 4 })),
    tools: mostly(fc.oneof(fc.array(mostly(tool), { maxLength: 3 }), fc.constant(null))),
    stream: mostly(fc.boolean()),
    max_tokens: mostly(fc.integer({ min: 1 })),
    temperature: mostly(fc.double({ noNaN: true })),
    response_format: mostly(fc.constantFrom({ type: "text" }, { type: "json_object" }, null)),
    metadata: odd,
    store: fc.constantFrom(false, true),
    ...more,
  },
  { requiredKeys: ["model", "messages"] },
);

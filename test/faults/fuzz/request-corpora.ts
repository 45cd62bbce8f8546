const image = "data:image/png;base64,iVBORw0KGgo=";
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

const texts = (bodies: readonly object[]): readonly string[] => bodies.map((body) => JSON.stringify(body));

/** Valid requests of each dialect, which use most of its members. */
export const requestCorpora = {
  chat: texts([
    { model: "openai", messages: [{ role: "user", content: "Hi" }], max_tokens: 5 },
    {
      model: "openai",
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.5,
      stop: ["a", "b"],
      response_format: { type: "json_schema", json_schema: { name: "s", schema } },
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: image, detail: "low" } },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "look_up", arguments: '{"city":"Rome"}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "21" },
      ],
      tools: [{ type: "function", function: { name: "look_up", description: "d", parameters: schema } }],
      tool_choice: { type: "function", function: { name: "look_up" } },
      metadata: { a: "1" },
    },
  ]),
  messages: texts([
    { model: "anthropic", max_tokens: 5, messages: [{ role: "user", content: "Hi" }] },
    {
      model: "openai",
      max_tokens: 50,
      stream: true,
      system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
      thinking: { type: "enabled", budget_tokens: 1_024 },
      stop_sequences: ["a"],
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
            { type: "text", text: "What is this?" },
          ],
        },
        { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "look_up", input: { city: "Rome" } }] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "21" }] }],
        },
      ],
      tools: [{ name: "look_up", description: "d", input_schema: schema }],
      tool_choice: { type: "any" },
      metadata: { user_id: "u" },
    },
  ]),
  responses: texts([
    { model: "openai", input: "Hi", max_output_tokens: 16 },
    {
      model: "anthropic",
      stream: true,
      instructions: "Be brief.",
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "What is this?" },
            { type: "input_image", image_url: image, detail: "low" },
          ],
        },
        { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "s" }], encrypted_content: "e" },
        { type: "function_call", call_id: "c1", name: "look_up", arguments: '{"city":"Rome"}' },
        { type: "function_call_output", call_id: "c1", output: "21" },
        { role: "assistant", content: [{ type: "output_text", text: "21", annotations: [] }] },
      ],
      tools: [{ type: "function", name: "look_up", description: "d", parameters: schema, strict: true }],
      tool_choice: { type: "function", name: "look_up" },
      text: { format: { type: "json_schema", name: "s", schema } },
      reasoning: { effort: "low", summary: "auto" },
      store: false,
      metadata: { a: "1" },
    },
  ]),
  embeddings: texts([
    { model: "vectors", input: "Hi" },
    { model: "vectors", input: ["Hi", "Ho"], dimensions: 8, encoding_format: "base64", user: "u" },
    { model: "vectors", input: [[1, 2, 3], [4]] },
  ]),
} as const;

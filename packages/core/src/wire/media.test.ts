import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test-support/property-runs.ts";
import { encodeUtf8 } from "./bytes.ts";
import type { Json } from "./json.ts";
import { mayHoldMedia, mediaOf } from "./media.ts";

const url = "https://a.example/1.png";
const counts = (...entries: readonly object[]) => {
  const { images, unknown } = mediaOf(entries);
  return [images.count, unknown.count];
};
const user = (...content: readonly object[]) => ({ role: "user", content });

describe("images", () => {
  it.each([
    ["a chat completion", user({ type: "image_url", image_url: { url } })],
    ["a result of a chat completion", { role: "tool", content: [{ type: "image_url", image_url: { url } }] }],
    ["the Messages API", user({ type: "image", source: { type: "url", url } })],
    [
      "a result of the Messages API",
      user({ type: "tool_result", content: [{ type: "image", source: { type: "url", url } }] }),
    ],
    [
      "a document of parts",
      user({ type: "document", source: { type: "content", content: [{ type: "image", source: {} }] } }),
    ],
    ["the Responses API", { type: "message", ...user({ type: "input_image", image_url: url }) }],
    [
      "a result of the Responses API",
      { type: "function_call_output", output: [{ type: "input_image", image_url: url }] },
    ],
    [
      "a result of a custom tool",
      { type: "custom_tool_call_output", output: [{ type: "input_image", image_url: url }] },
    ],
  ])("count as such in %s", (_where, entry) => {
    expect(counts(entry)).toEqual([1, 0]);
    expect(mediaOf([entry, entry]).images.count).toBe(2);
  });

  it("are addresses or data that the model does not read as text", () => {
    const data = "iVBORw0KGgo=";
    const parts = [
      { type: "image_url", image_url: { url } },
      { type: "image", source: { type: "base64", media_type: "image/png", data } },
      { type: "input_image", image_url: url, detail: "high" },
    ];
    expect(mediaOf([user(...parts)]).images).toEqual({ count: 3, addressLength: 2 * url.length + data.length });
  });

  it("have no address in members that hold no media", () => {
    const part = { type: "image_url", image_url: { url }, cache_control: { image_url: { url } } };
    expect(mediaOf([user(part)]).images).toEqual({ count: 1, addressLength: url.length });
  });
});

// Follows https://platform.openai.com/docs/api-reference/responses/create and
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview
describe("what is of unknown size", () => {
  it.each<readonly [string, object]>([
    [
      "a screenshot of a computer",
      { type: "computer_call_output", output: { type: "computer_screenshot", image_url: url } },
    ],
    ["one by its id", { type: "computer_call_output", output: { type: "computer_screenshot", file_id: "f" } }],
    ["an image that code made", { type: "code_interpreter_call", outputs: [{ type: "image", url }] }],
    ["a result of a file search", { type: "file_search_call", results: [{ file_id: "f", text: "x" }] }],
    ["an item yet to come", { type: "hologram", deep: [{ er: [{ videoUrl: url }] }] }],
    ["a member yet to come", { role: "user", content: "x", images: [url] }],
    ["the audio of an earlier answer", { role: "assistant", audio: { id: "audio_1" } }],
    ["a file", user({ type: "input_file", file_url: url })],
    ["audio", user({ type: "input_audio", input_audio: { data: "AAAA" } })],
    ["a part yet to come", user({ type: "hologram" })],
    ["a text with an image", user({ type: "text", text: "x", image_url: { url } })],
    ["a PDF", user({ type: "document", source: { type: "base64", data: "JVBE" } })],
    ["a file of a container", user({ type: "container_upload", file_id: "f" })],
    [
      "results of a web search",
      user({ type: "web_search_tool_result", content: [{ type: "web_search_result", url }] }),
    ],
    ["a page", user({ type: "web_fetch_tool_result", content: { type: "web_fetch_result", url } })],
    [
      "a file that code made",
      user({ type: "bash_code_execution_tool_result", content: { content: [{ file_id: "f" }] } }),
    ],
    [
      "an image of a server",
      user({ type: "mcp_tool_result", content: [{ type: "image", source: { type: "url", url } }] }),
    ],
    ["an image of an MCP call", { type: "mcp_call", output: [{ type: "image", data: "AAAA", mimeType: "image/png" }] }],
  ])("is %s", (_what, entry) => {
    expect(counts(entry)).toEqual([0, 1]);
  });

  it("lists its data, which is no text", () => {
    const entries = [
      user({ type: "input_file", filename: "a.pdf", file_data: "JVBE" }),
      { type: "computer_call_output", output: { type: "computer_screenshot", image_url: url } },
    ];
    expect(mediaOf(entries).unknown.textLength).toBe("JVBE".length + url.length);
  });
});

describe("text", () => {
  it.each<readonly [string, object]>([
    ["a message", { role: "user", content: url }],
    [
      "texts",
      user({ type: "text", text: url }, { type: "input_text", text: url }, { type: "refusal", refusal: "No." }),
    ],
    [
      "thoughts",
      user(
        { type: "thinking", thinking: url, signature: "x" },
        { type: "thinking", thinking: [{ type: "text", text: "x" }] },
      ),
    ],
    ["a citation", user({ type: "text", text: "x", citations: [{ type: "web_search_result_location", url }] })],
    [
      "an annotation",
      user({
        type: "output_text",
        text: "x",
        annotations: [
          { type: "url_citation", url },
          { type: "file_path", file_id: "f" },
        ],
      }),
    ],
    [
      "annotations of a message",
      { role: "assistant", content: "x", annotations: [{ type: "url_citation", url_citation: { url } }] },
    ],
    [
      "a call",
      { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: "fetch", arguments: url } }] },
    ],
    ["the input of a call", user({ type: "tool_use", id: "t", name: "fetch", input: { url } })],
    ["the input of a server's tool", user({ type: "server_tool_use", id: "t", name: "web_fetch", input: { url } })],
    ["a call that opens a page", { type: "web_search_call", action: { type: "open_page", url } }],
    ["a click", { type: "computer_call", action: { type: "click", x: 1, y: 2 } }],
    [
      "tools that were found",
      { type: "tool_search_output", tools: [{ name: "f", parameters: { properties: { url: {} } } }] },
    ],
    [
      "tools of a server",
      { type: "mcp_list_tools", tools: [{ name: "f", input_schema: { properties: { file: {} } } }] },
    ],
    ["a document of text", user({ type: "document", source: { type: "text", data: "Plain." } })],
    [
      "a search result",
      user({ type: "search_result", source: url, title: "x", content: [{ type: "text", text: "x" }] }),
    ],
    ["a result of the shell", { type: "shell_call_output", output: [{ stdout: url, stderr: "" }] }],
    ["reasoning", { type: "reasoning", summary: [{ type: "summary_text", text: url }], encrypted_content: "x" }],
    [
      "members that name nothing",
      { role: "user", content: "x", file: null, source: "", files: [], is_file: true, profile: "x" },
    ],
  ])("is %s", (_what, entry) => {
    expect(counts(entry)).toEqual([0, 0]);
  });
});

const names = [
  "url",
  "imageUrl",
  "file_uri",
  "file_ids",
  "inlineData",
  "source",
  "videos",
  "documents",
  "blob",
  "b64_json",
  "attachments",
  "media",
  "audio",
  "screenshot",
  "base64",
];

it("hints at every name that counts", () => {
  for (const name of [...names, "aud_io", "so-urce", "U_R_L", "b-64json"]) {
    expect(counts({ type: "x", [name]: "y" })).toEqual([0, 1]);
    expect(mayHold(name, "y")).toBe(true);
    expect(mayHold("x", [{ [name]: "y" }])).toBe(true);
  }
  expect(mayHoldText('"\\u0075rl"', '"y"')).toBe(true);
  expect(mayHold("reasoning_details", [{ text: "y" }])).toBe(false);
  expect(mayHold("text", "a file")).toBe(false);
  expect(mayHold("curl", [{ profile: "a file." }])).toBe(false);
  expect(mayHold("file", null)).toBe(false);
});

it.each([[[]], [{}], [5], [true], ["x"]])(
  "hints at the type %j of a message, whose content is then no list of parts",
  (type) => {
    expect(counts({ type, content: [{ type: "image_url", image_url: { url } }] })).toEqual([0, 1]);
    expect(mayHold("type", type)).toBe(true);
  },
);

/** A name with more or fewer separators and capitals. */
const spelling = fc
  .tuple(fc.constantFrom(...names), fc.array(fc.constantFrom("", "", "_", "-"), { maxLength: 6 }), fc.boolean())
  .map(([name, gaps, isUpper]) => {
    const spelled = [...name].map((letter, index) => `${gaps[index] ?? ""}${letter}`).join("");
    return isUpper ? spelled.toUpperCase() : spelled;
  });
const anyName = fc.oneof(spelling, fc.constantFrom("x", "type", "content", "output", "curl", "profile", "text"));
const { member } = fc.letrec<{ member: Json }>((tie) => ({
  member: fc.oneof(
    { depthSize: "small" },
    fc.oneof(anyName, fc.constantFrom(null, 7, "", "image_url", "url_citation")),
    fc.dictionary(anyName, tie("member"), { maxKeys: 3 }),
    fc.array(tie("member"), { maxLength: 2 }),
  ),
}));

it("hints at every member of a message that counts", () => {
  let counted = 0;
  fc.assert(
    fc.property(anyName, member, (name, value) => {
      const { images, unknown } = mediaOf([{ role: "user", content: "x", [name]: value }]);
      if (name === "content" || images.count + unknown.count === 0) return;
      counted += 1;
      expect(mayHold(name, value)).toBe(true);
    }),
    { numRuns: runs(2_000) },
  );
  expect(counted).toBeGreaterThan(runs(2_000) / 10);
});

const mayHold = (name: string, value: Json): boolean => mayHoldText(JSON.stringify(name), JSON.stringify(value));

function mayHoldText(key: string, value: string): boolean {
  const bytes = encodeUtf8(`${key}:${value}`);
  return mayHoldMedia(bytes, { keyStart: 0, keyEnd: key.length, valueStart: key.length + 1, valueEnd: bytes.length });
}

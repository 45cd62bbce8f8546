import { describe, expect, it } from "vitest";
import { gatewayUnderTest } from "../support/gateway-under-test.ts";
import { completionOf, scriptedProvider } from "../support/scripted-provider.ts";

/** A small valid request of each dialect, with more members beside it, and in its first message or item and part. */
const dialects = {
  chat: {
    path: "chat/completions",
    body: (more: object) => ({ model: "plain", messages: [{ role: "user", content: "Hi" }], ...more }),
    inPart: (more: object) => ({ messages: [{ role: "user", content: [{ type: "text", text: "Hi", ...more }] }] }),
    part: "messages.0.content.0",
  },
  messages: {
    path: "messages",
    body: (more: object) => ({
      model: "plain",
      max_tokens: 10,
      messages: [{ role: "user", content: "Hi" }],
      ...more,
    }),
    inPart: (more: object) => ({ messages: [{ role: "user", content: [{ type: "text", text: "Hi", ...more }] }] }),
    part: "messages.0.content.0",
  },
  responses: {
    path: "responses",
    body: (more: object) => ({ model: "plain", store: false, input: "Hi", ...more }),
    inPart: (more: object) => ({ input: [{ role: "user", content: [{ type: "input_text", text: "Hi", ...more }] }] }),
    part: "input.0.content.0",
  },
} as const;

const embeddings = {
  path: "embeddings",
  body: (more: object) => ({ model: "embedder", input: "Hi", ...more }),
};

const price = { input: "1", output: "2" };
const vectors = { object: "list", data: [{ object: "embedding", index: 0, embedding: [0.5] }], model: "up" };

async function post({ path }: { readonly path: string }, body: object) {
  let embedded = 0;
  const answer = async () => {
    embedded += 1;
    return { kind: "json", body: new TextEncoder().encode(JSON.stringify(vectors)) } as const;
  };
  const scripted = scriptedProvider({ complete: async () => completionOf("Hi") });
  const provider = Object.assign(scripted, { dialects: { embeddings: answer } });
  const { gateway, key } = gatewayUnderTest({
    models: [
      { id: "plain", maxOutputTokens: 1_000, price, targets: [{ provider, model: "up" }] },
      { id: "embedder", kind: "embedding", price, targets: [{ provider, model: "up" }] },
    ],
  });
  const headers = { authorization: `Bearer ${await key()}`, "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await gateway.fetch(new Request(`http://gateway.test/router/v1/${path}`, init));
  const answered: { error?: { param?: string; message?: string } } = await response.json();
  return { status: response.status, calls: embedded + provider.calls.length, error: answered.error };
}

const all = Object.entries({ ...dialects, embeddings });

describe.each(all)("a member that moves the call, its data or its price: %s", (_, dialect) => {
  it.each([
    ["data_sources", [{ type: "azure_search" }]],
    ["mcp_servers", [{ type: "url", url: "https://x.test" }]],
    ["Container", "container_1"],
    ["inference-geo", "eu"],
    ["connectors", [{ id: "web-search" }]],
    ["speed", "fast"],
    ["search_options", {}],
    ["compound_custom", {}],
    ["deferred", true],
    ["enable_code_interpreter", true],
    ["service_tier", "priority"],
    ["web_search_options", {}],
    ["providerOptions", {}],
    ["EXTRA_BODY", {}],
    ["context_window_fallbacks", ["dear"]],
    ["bootstrap_host", "x.test"],
    ["file_id", "file-1"],
  ])("is refused: %s", async (name, value) => {
    const { status, calls, error } = await post(dialect, dialect.body({ [name]: value }));
    expect({ status, calls, text: error?.message }).toEqual({
      status: 400,
      calls: 0,
      text: expect.stringContaining(name),
    });
  });

  it("is accepted with a value that asks for nothing", async () => {
    const nothing = { data_sources: [], mcp_servers: null, speed: null, deferred: false, service_tier: "auto" };
    expect(await post(dialect, dialect.body(nothing))).toMatchObject({ status: 200, calls: 1 });
  });
});

describe.each(Object.entries(dialects))("a file of the upstream's account: %s", (_, dialect) => {
  it.each([
    ["beside data", { file_id: "file-1" }, "file_id"],
    ["in another spelling", { fileId: "file-1" }, "fileId"],
    ["in an object of a vendor", { file: { file_data: "data:,", File_ID: "file-1" } }, "file.File_ID"],
    ["in a list", { files: [[{ file_id: "file-1" }]] }, "files.0.0.file_id"],
  ])("is refused: %s", async (_name, more, end) => {
    const { status, calls, error } = await post(dialect, dialect.body(dialect.inPart(more)));
    expect({ status, calls }).toEqual({ status: 400, calls: 0 });
    expect(error?.message).toContain(`${dialect.part}.${end}`);
  });
});

import { fetchTransport, openaiCompatible } from "@tollgate/core";
import { completionOf, type ProviderStream } from "@tollgate/core/provider";
import { afterEach, describe, expect, it } from "vitest";
import { callOver, canaryKey, providerAt, providerErrorOf, streamOf, textOf } from "./calls.ts";
import { httpUpstream, type Upstream } from "./upstream.ts";

interface ReceivedRequest {
  readonly url: string | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

const open: Upstream[] = [];
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.close();
});

/** An upstream that sends one answer to every request and records the requests. */
async function answering(type: string, text: string): Promise<{ baseURL: string; received: ReceivedRequest[] }> {
  const received: ReceivedRequest[] = [];
  const upstream = await httpUpstream((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      received.push({ url: request.url, headers: request.headers, body });
      response.writeHead(200, { "content-type": type }).end(text);
    });
  });
  open.push(upstream);
  return { baseURL: upstream.baseURL, received };
}

const transport = fetchTransport();
const completion = {
  id: "c-1",
  created: 5,
  model: "up-model",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "t-1", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      finish_reason: "tool_calls",
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 2 },
};
const json = JSON.stringify(completion);

describe("openaiCompatible", () => {
  it("posts the encoded request with its key only in a header", async () => {
    const { baseURL, received } = await answering("application/json", json);
    const encoded = '{"model":"up-model","seed":12345678901234567890}';
    const call = callOver(transport, { encoded: () => new TextEncoder().encode(encoded) });
    expect(completionOf(await providerAt(baseURL).complete(call))).toEqual(completion);
    expect(received[0]).toMatchObject({
      url: "/v1/chat/completions",
      body: encoded,
      headers: {
        authorization: `Bearer ${canaryKey}`,
        "content-type": "application/json",
        "accept-encoding": "identity",
        "x-request-id": "request-1",
      },
    });
  });

  it("keeps the query and sends the key without a scheme in Azure's header", async () => {
    const { baseURL, received } = await answering("application/json", json);
    const provider = openaiCompatible({
      baseURL: `${baseURL}/deployments/d/?api-version=2026-01-01`,
      apiKey: canaryKey,
      apiKeyHeader: "api-key",
      headers: { "X-Tenant": "t" },
    });
    await provider.complete(callOver(transport));
    expect(received[0]?.url).toBe("/v1/deployments/d/chat/completions?api-version=2026-01-01");
    expect(received[0]?.headers).toMatchObject({ "api-key": canaryKey, "x-tenant": "t" });
    expect(received[0]?.headers).not.toHaveProperty("authorization");
  });

  it.each([
    ["a base URL without a scheme", { baseURL: "api.openai.com/v1" }],
    ["another scheme", { baseURL: "ftp://api.openai.com/v1" }],
    ["a password in the URL", { baseURL: `https://user:${canaryKey}@api.openai.com/v1` }],
    ["a key in the query", { baseURL: `https://api.openai.com/v1?key=${canaryKey}` }],
    ["a line break in the key", { baseURL: "https://api.openai.com/v1", apiKey: `${canaryKey}\n` }],
  ])("rejects %s without quoting the key", (_name, options) => {
    const build = () => openaiCompatible(options);
    expect(build).toThrow(TypeError);
    expect(build).not.toThrow(new RegExp(canaryKey));
  });

  it("chooses the output cap field for OpenAI, Azure and others", () => {
    const cap = (baseURL: string) => openaiCompatible({ baseURL }).capabilities.outputCapField;
    expect(cap("https://api.openai.com/v1")).toBe("max_completion_tokens");
    expect(cap("https://acme.openai.azure.com/openai/v1")).toBe("max_completion_tokens");
    expect(cap("https://api.mistral.ai/v1")).toBe("max_tokens");
  });

  it("converts JSON to chunks if the request asked for a stream", async () => {
    const { baseURL } = await answering("application/json", json);
    expect(await chunksOf(await providerAt(baseURL).stream(callOver(transport)))).toMatchObject([
      {
        id: "c-1",
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: "t-1" }] }, finish_reason: null }],
      },
      { id: "c-1", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
    ]);
  });

  it("converts an event stream to a completion if the request did not ask for a stream", async () => {
    const frames = [
      '{"choices":[{"delta":{"content":"Hel"}}]}',
      '{"choices":[{"delta":{"content":"lo"},"finish_reason":"stop"}]}',
    ];
    const { baseURL } = await answering("text/event-stream", `data: ${frames.join("\n\ndata: ")}\n\ndata: [DONE]\n\n`);
    expect(await providerAt(baseURL).complete(callOver(transport))).toMatchObject({
      choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
    });
  });

  it("detects an event stream with another content type by its first bytes", async () => {
    const { baseURL } = await answering("text/plain", "\n: hi\n\ndata: 1\n\n");
    const stream = await streamOf(providerAt(baseURL).stream(callOver(transport)));
    expect(await textOf(stream)).toBe("\n: hi\n\ndata: 1\n\n");
  });

  it("removes the host, the key and the upstream's model from the client message", async () => {
    const upstream = await httpUpstream((request, response) => {
      const message = `up-model at ${request.headers.host} refused ${request.headers.authorization}, sorry`;
      response.writeHead(400).end(JSON.stringify({ error: { message } }));
    });
    open.push(upstream);
    const error = await providerErrorOf(providerAt(upstream.baseURL).complete(callOver(transport)));
    expect(error.details.clientMessage).toBe("[removed] at [removed] refused [removed], sorry");
  });

  it("reads at most 64 KiB of an error body, for at most 2 seconds", async () => {
    let sent = 0;
    const upstream = await httpUpstream((_request, response) => {
      response.writeHead(400);
      const timer = setInterval(() => {
        sent += 1;
        response.write(" ");
      }, 50);
      response.on("close", () => clearInterval(timer));
    });
    open.push(upstream);
    // The body never ends by itself.
    const error = await providerErrorOf(providerAt(upstream.baseURL).complete(callOver(transport)));
    expect(error.failure).toBe("rejected");
    expect(sent).toBeGreaterThan(10);
  });
});

async function chunksOf(stream: ProviderStream): Promise<unknown[]> {
  if (stream.kind === "bytes") throw new Error("The provider returned a stream of bytes.");
  const chunks: unknown[] = [];
  for await (const chunk of stream.chunks) chunks.push(chunk);
  return chunks;
}

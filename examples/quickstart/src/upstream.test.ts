import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { chooseUpstream } from "./upstream.ts";

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const close of cleanups.splice(0)) close();
});

/** Starts a server that answers like Ollama's /api/tags, and returns its URL. */
async function ollama(tags: string): Promise<string> {
  const server = createServer((_request, response) => response.end(tags)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  cleanups.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

const unusedUrl = "http://127.0.0.1:1";

describe("the upstream", () => {
  it("is the one at OPENAI_BASE_URL, with the model OPENAI_MODEL", async () => {
    const base = { OPENAI_BASE_URL: "https://llm.example/v1", OPENAI_API_KEY: "secret-canary" };
    const chosen = await chooseUpstream({ ...base, OPENAI_MODEL: "some-model" }, unusedUrl);
    expect(chosen).toMatchObject({
      model: "some-model",
      reasoningModel: "some-model",
      provider: { name: "openai" },
      embeddings: { model: "text-embedding-3-small", provider: { dialects: { embeddings: expect.any(Function) } } },
    });
    expect(chosen.description).not.toContain("canary");
    expect((await chooseUpstream(base, unusedUrl)).model).toBe("gpt-5-mini");
  });

  it.each(["localhost:8000/v1", "ftp://llm.example", "llm"])(
    "is rejected if OPENAI_BASE_URL is %s",
    async (baseURL) => {
      await expect(chooseUpstream({ OPENAI_BASE_URL: baseURL }, unusedUrl)).rejects.toThrow("OPENAI_BASE_URL is not");
    },
  );

  it("is a local Ollama with its first model", async () => {
    const url = await ollama('{"models":[{"name":"llama3.2:1b"},{"name":"other"}]}');
    expect(await chooseUpstream({}, url)).toMatchObject({ model: "llama3.2:1b", provider: { name: "ollama" } });
  });

  it.each(['{"models":[]}', "<html>", "{}", '{"models":[{"name":7}]}'])(
    "is the offline provider if Ollama answers %s",
    async (tags) => {
      expect(await chooseUpstream({}, await ollama(tags))).toMatchObject({ provider: { name: "offline" } });
    },
  );

  it("is the offline provider by default, and does not use OPENAI_API_KEY without OPENAI_BASE_URL", async () => {
    const chosen = await chooseUpstream({ OPENAI_API_KEY: "secret-canary" }, unusedUrl);
    expect(chosen.provider.name).toBe("offline");
    expect(chosen.description).toContain("OPENAI_API_KEY is not used");
  });

  it("is the offline provider if QUICKSTART_OFFLINE is 1", async () => {
    const url = await ollama('{"models":[{"name":"llama3.2:1b"}]}');
    expect((await chooseUpstream({ QUICKSTART_OFFLINE: "1" }, url)).provider.name).toBe("offline");
  });
});

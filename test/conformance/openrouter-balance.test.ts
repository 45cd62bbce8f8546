import { OpenRouter } from "@openrouter/sdk";
import { memoryUsageStore } from "@tollgate/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunksOf } from "../support/scripted-provider.ts";
import { type ServedGateway, serveGateway } from "./served-gateway.ts";

let served: ServedGateway;
let secret: string;

beforeAll(async () => {
  served = await serveGateway({ usage: { store: memoryUsageStore() } });
  secret = await served.key({
    name: "CI",
    spend: { limit: "0.5", window: "month" },
    expiresAt: new Date("2099-01-01T00:00:00Z"),
  });
});

afterAll(() => served?.close());

const usage = {
  prompt_tokens: 10,
  completion_tokens: 5,
  total_tokens: 15,
  prompt_tokens_details: { cached_tokens: 4 },
};

/** Streams a completion, as agents do, and returns the id of its first chunk. */
async function stream(): Promise<string> {
  served.scripted.script = { stream: () => chunksOf(["Hi"], usage) };
  const response = await fetch(`${served.baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "scripted", stream: true, messages: [{ role: "user", content: "Hi" }] }),
  });
  return /"id":"([^"]+)"/.exec(await response.text())?.[1] ?? "";
}

const get = async (path: string) => {
  const response = await fetch(`${served.baseURL}${path}`, { headers: { authorization: `Bearer ${secret}` } });
  return (await response.json()).data;
};

describe("the SDK of OpenRouter", () => {
  const client = () => new OpenRouter({ serverURL: served.baseURL, apiKey: secret });

  it("reads the key, its spend limit and its usage", async () => {
    await stream();
    const { data } = await client().apiKeys.getCurrentKeyMetadata();
    expect(data).toMatchObject({ label: "CI", limit: 0.5, limitReset: "monthly", isFreeTier: false });
    expect(data.usage).toBeGreaterThan(0);
    expect(data.limitRemaining).toBeCloseTo(0.5 - data.usage, 9);
    expect(data.expiresAt).toEqual(new Date("2099-01-01T00:00:00Z"));
  });

  it("reads the credits", async () => {
    const { data } = await client().credits.getCredits();
    expect(data.totalCredits).toBeGreaterThan(data.totalUsage);
  });

  it("reads a generation by the id of its answer", async () => {
    const id = await stream();
    const { data } = await client().generations.getGeneration({ id });
    expect(data).toMatchObject({ id, model: "scripted", streamed: true, tokensPrompt: 10, nativeTokensCached: 4 });
    expect(data.totalCost).toBeGreaterThan(0);
  });

  it("rejects with the error of an unknown generation", async () => {
    await expect(client().generations.getGeneration({ id: "chatcmpl-none" })).rejects.toMatchObject({
      statusCode: 404,
    });
  });
});

describe("agents and tools that show a balance", () => {
  it("read the key as Roo Code and Cline require it", async () => {
    // RooVetGit/Roo-Code and cline/cline, webview-ui/src/components/ui/hooks/useOpenRouterKeyInfo.ts. Both show `limit` less
    // `usage`, and nothing for a limit of null. Roo Code asks at its setting for the base URL.
    const data = await get("/key");
    expect(data).toMatchObject({
      label: expect.any(String),
      usage: expect.any(Number),
      limit: expect.any(Number),
      is_free_tier: expect.any(Boolean),
      is_provisioning_key: expect.any(Boolean),
      rate_limit: { requests: expect.any(Number), interval: expect.any(String) },
    });
    expect(data.limit - data.usage).toBeCloseTo(data.limit_remaining, 9);
  });

  it("read what is left as CodexBar does", async () => {
    // steipete/CodexBar, docs/openrouter.md: `total_credits` less `total_usage`, the limit of the key with what remains, and
    // its spend by day, week and month, at the address of OPENROUTER_API_URL.
    const [key, credits] = [await get("/key"), await get("/credits")];
    expect(credits.total_credits - credits.total_usage).toBeGreaterThan(0);
    for (const name of ["limit", "limit_remaining", "usage_daily", "usage_weekly", "usage_monthly"])
      expect([name, typeof key[name]]).toEqual([name, "number"]);
  });

  it("read the tokens and the cost of a stream as Cline does", async () => {
    // cline/cline, src/core/api/providers/openrouter.ts: by the id of the first chunk, 500 ms after the stream.
    const id = await stream();
    const data = await get(`/generation?id=${id}`);
    expect(data).toMatchObject({ native_tokens_prompt: 10, native_tokens_cached: 4, native_tokens_completion: 5 });
    expect(data.total_cost).toBeGreaterThan(0);
  });
});

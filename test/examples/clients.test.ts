import { createServer } from "node:http";
import { createGateway, memoryBalanceStore, memoryKeyStore, openaiCompatible, parseAmount } from "@tollgate/core";
import { nodeHandler, pooledTransport } from "@tollgate/node";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { listen } from "../http/mounts/mount.ts";
import { type MockUpstream, startMockUpstream } from "../upstream/mock-upstream.ts";

let upstream: MockUpstream;
let close: () => Promise<unknown>;

beforeAll(async () => {
  upstream = await startMockUpstream();
  const provider = openaiCompatible({ baseURL: upstream.url, apiKey: "sk-upstream", dialects: ["embeddings"] });
  const keys = memoryKeyStore();
  const balances = memoryBalanceStore();
  const price = { input: "1", output: "2" };
  const gateway = createGateway({
    keys,
    balances,
    plans: [{ id: "prepaid", billing: "prepaid" }],
    models: [
      { id: "acme-large", maxOutputTokens: 64_000, price, targets: [{ provider, model: "text" }] },
      { id: "acme-embedding", kind: "embedding", price, targets: [{ provider, model: "text" }] },
    ],
    transport: pooledTransport(),
  });
  balances.credit({ id: "start", account: "acme", amount: parseAmount("5"), reason: "test" });
  const { secret } = await keys.create({ account: "acme", plan: "prepaid" });
  const server = await listen(createServer(nodeHandler(gateway, { prefix: "/router/v1" })));
  close = server.close;
  vi.stubEnv("TOLLGATE_HOST", `http://127.0.0.1:${server.port}`);
  vi.stubEnv("TOLLGATE_API_KEY", secret);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await close();
  await upstream.close();
});

it.each(["openai-sdk", "anthropic-sdk", "ai-sdk", "langchain"])("the example %s gets its answers", async (name) => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  await import(`../../examples/clients/src/${name}.ts`);
  const printed = JSON.stringify(log.mock.calls);
  log.mockRestore();
  expect(printed).toContain("Hello");
});

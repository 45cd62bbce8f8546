import { createServer } from "node:http";
import { createGateway, memoryBalanceStore, memoryKeyStore, openaiCompatible } from "@tollgate/core";
import { nodeHandler } from "@tollgate/node";
import { redisLimiter } from "@tollgate/redis";
import { createClient } from "redis";

const redis = createClient({ url: process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379" });
redis.on("error", (error: Error) => console.error(`Redis: ${error.message}`));
// Not awaited: if Redis is unavailable, the process counts locally until it connects.
redis.connect().catch(() => undefined);

const openai = openaiCompatible({
  baseURL: process.env["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1",
  apiKey: process.env["OPENAI_API_KEY"],
});
const keys = memoryKeyStore();
const gateway = createGateway({
  keys,
  balances: memoryBalanceStore(),
  // While Redis is unavailable, each of the four processes grants a quarter of every limit.
  limiter: redisLimiter(redis, { expectedProcesses: 4 }),
  plans: [{ id: "internal", billing: "none", limits: { requests: { limit: 600 } } }],
  models: [
    {
      id: "acme-small",
      maxOutputTokens: 64_000,
      price: "free",
      targets: [{ provider: openai, model: "gpt-5-mini" }],
    },
  ],
});
const { secret } = await keys.create({ account: "customer-17", plan: "internal" });

const port = Number(process.env["PORT"] ?? 8787);
const server = createServer(nodeHandler(gateway, { prefix: "/router/v1" }));
server.listen(port, "127.0.0.1", () => console.log(`API key: ${secret}`));
server.on("error", (cause) => {
  throw new Error(`Port ${port} cannot be used. Free it, or set another one as PORT.`, { cause });
});

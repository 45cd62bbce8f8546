import { redisLimiter } from "@tollgate/redis";
import { createSentinel } from "redis";

const sentinels = (process.env["REDIS_SENTINELS"] ?? "127.0.0.1:26379").split(",").map((address) => {
  const [host = "", port] = address.split(":");
  return { host, port: Number(port) };
});
export const redis = createSentinel({
  name: process.env["REDIS_MASTER"] ?? "mymaster",
  sentinelRootNodes: sentinels,
});
redis.on("error", (error: Error) => console.error(`Redis: ${error.message}`));
redis.connect().catch(() => undefined);

export const limiter = redisLimiter(redis, { expectedProcesses: 4 });

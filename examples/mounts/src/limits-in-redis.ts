import { redisLimiter } from "@tollgate/redis";
import { createClient } from "redis";

export const redis = createClient({ url: process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379" });
redis.on("error", (error: Error) => console.error(`Redis: ${error.message}`));
// Not awaited: if Redis is unavailable, the process counts locally until it connects.
redis.connect().catch(() => undefined);

/** While Redis is unavailable, each of the four processes grants a quarter of every limit. */
export const limiter = redisLimiter(redis, { expectedProcesses: 4 });

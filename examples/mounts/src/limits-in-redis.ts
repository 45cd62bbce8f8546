import { redisLimiter } from "@tollgate/redis";
import { createClient } from "redis";

export const redis = createClient({ url: process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379" });
redis.on("error", (error: Error) => console.error(`Redis: ${error.message}`));
// Not awaited: a process that starts while Redis is away counts by itself until it is there.
redis.connect().catch(() => undefined);

/** Without Redis, each of the four processes grants a quarter of every limit until it is back. */
export const limiter = redisLimiter(redis, { expectedProcesses: 4 });

import { redisLimiter } from "@tollgate/redis";
import { createCluster } from "redis";

const nodes = process.env["REDIS_NODES"] ?? "redis://127.0.0.1:7000,redis://127.0.0.1:7001";
export const redis = createCluster({ rootNodes: nodes.split(",").map((url) => ({ url })) });
redis.on("error", (error: Error) => console.error(`Redis: ${error.message}`));
redis.connect().catch(() => undefined);

export const limiter = redisLimiter(redis, { expectedProcesses: 4 });

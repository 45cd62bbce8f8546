export type { IoRedisSubscriber, KeyChangeSubscriber, NodeRedisSubscriber } from "./channel.ts";
export type { IoRedisClient, NodeRedisClient, RedisClient } from "./client.ts";
export {
  type KeyChangePublisher,
  type KeyChangesEvent,
  type SharedKeys,
  type ShareKeyChangesOptions,
  shareKeyChanges,
} from "./key-changes.ts";
export type { RedisLimiterEvent, RedisLimiterOptions } from "./limiter-options.ts";
export { redisLimiter } from "./redis-limiter.ts";

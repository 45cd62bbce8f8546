/**
 * A connected client, pool or cluster of `redis` (node-redis), as far as limits call it. The host makes it, listens to
 * its `error` event, without which an outage ends the process, and closes it.
 */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** A client or cluster of `ioredis`, as far as limits call it. The host makes it, listens to its `error` event, and closes it. */
export interface IoRedisClient {
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  evalsha(sha1: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** Either client of Redis. */
export type RedisClient = NodeRedisClient | IoRedisClient;

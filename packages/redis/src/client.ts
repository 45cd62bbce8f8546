/**
 * The methods that limits call on a connected client, pool or cluster of `redis` (node-redis). The host creates it,
 * closes it and listens to its `error` event: without a listener, an outage ends the process.
 */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/**
 * The methods that limits call on a client or cluster of `ioredis`. The host creates it, listens to its `error` event,
 * and closes it.
 */
export interface IoRedisClient {
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  evalsha(sha1: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** A client of `redis` or `ioredis`. */
export type RedisClient = NodeRedisClient | IoRedisClient;

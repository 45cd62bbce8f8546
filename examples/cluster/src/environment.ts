/** The settings of the example. */
export interface Environment {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** The PostgreSQL schema of the tables. */
  readonly schema: string;
  /** The prefix of the keys in Redis. */
  readonly redisPrefix: string;
  /** How long Redis may take to answer before a process counts locally, in milliseconds. */
  readonly redisTimeoutMs: number;
  readonly port: number;
  readonly workers: number;
}

/** Reads the settings from environment variables. The defaults suit one machine. */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  return {
    databaseUrl: variables["DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test",
    redisUrl: variables["REDIS_URL"] ?? "redis://127.0.0.1:6379",
    schema: variables["SCHEMA"] ?? "tollgate_cluster",
    redisPrefix: variables["REDIS_PREFIX"] ?? "tollgate_cluster",
    redisTimeoutMs: readInteger("REDIS_TIMEOUT_MS", variables["REDIS_TIMEOUT_MS"] ?? "250", 1, 60_000),
    port: readInteger("PORT", variables["PORT"] ?? "8790", 0, 65_535),
    workers: readInteger("WORKERS", variables["WORKERS"] ?? "4", 1, 64),
  };
}

function readInteger(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`${name} is "${text}". Set it to an integer from ${min} to ${max}.`);
}

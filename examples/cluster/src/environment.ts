/** What the example reads from its environment. */
export interface Environment {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Where the tables are. */
  readonly schema: string;
  /** What the keys in Redis begin with. */
  readonly redisPrefix: string;
  /** How long Redis may take to answer before a process counts by itself, in milliseconds. */
  readonly redisTimeoutMs: number;
  readonly port: number;
  readonly workers: number;
}

/** The settings, each with the default that suits one machine. */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  return {
    databaseUrl: variables["DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test",
    redisUrl: variables["REDIS_URL"] ?? "redis://127.0.0.1:6379",
    schema: variables["SCHEMA"] ?? "tollgate_cluster",
    redisPrefix: variables["REDIS_PREFIX"] ?? "tollgate_cluster",
    redisTimeoutMs: wholeNumber("REDIS_TIMEOUT_MS", variables["REDIS_TIMEOUT_MS"] ?? "250", 1, 60_000),
    port: wholeNumber("PORT", variables["PORT"] ?? "8790", 0, 65_535),
    workers: wholeNumber("WORKERS", variables["WORKERS"] ?? "4", 1, 64),
  };
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text !== "" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`${name} is "${text}". Set it to a whole number from ${least} to ${most}.`);
}

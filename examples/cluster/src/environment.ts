/** The settings of the example. */
export interface Environment {
  readonly databaseUrl: string;
  /** The PostgreSQL schema of the tables. */
  readonly schema: string;
  /** The address to listen at. */
  readonly host: string;
  readonly port: number;
  /** How many processes to start behind the port. */
  readonly workers: number;
  /** How long running requests may take to finish after SIGTERM, in milliseconds. */
  readonly drainMs: number;
}

/** The settings of a process in a container. */
export interface ContainerEnvironment extends Environment {
  /** How long the process goes on listening after SIGTERM, so that load balancers notice, in milliseconds. */
  readonly lingerMs: number;
  /** The port of the metrics for Prometheus. */
  readonly metricsPort: number;
  /** The password of the dashboard, whose user is "admin". Undefined: there is no dashboard. */
  readonly dashboardPassword: string | undefined;
}

/** Reads the settings from environment variables. The defaults suit one machine. */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  return {
    databaseUrl: variables["DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test",
    schema: variables["SCHEMA"] ?? "tollgate_cluster",
    host: variables["HOST"] ?? "127.0.0.1",
    port: readInteger("PORT", variables["PORT"] ?? "8790", 0, 65_535),
    workers: readInteger("WORKERS", variables["WORKERS"] ?? "4", 1, 64),
    drainMs: readInteger("DRAIN_MS", variables["DRAIN_MS"] ?? "10000", 0, 3_600_000),
  };
}

/** Reads the settings of a process in a container. */
export function readContainerEnvironment(variables: NodeJS.ProcessEnv): ContainerEnvironment {
  return {
    ...readEnvironment(variables),
    lingerMs: readInteger("LINGER_MS", variables["LINGER_MS"] ?? "0", 0, 3_600_000),
    metricsPort: readInteger("METRICS_PORT", variables["METRICS_PORT"] ?? "9464", 0, 65_535),
    dashboardPassword: variables["DASHBOARD_PASSWORD"],
  };
}

function readInteger(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`${name} is "${text}". Set it to an integer from ${min} to ${max}.`);
}

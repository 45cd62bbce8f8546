/** The settings of one statement, as ClickHouse names them. */
export type ClickHouseSettings = Readonly<Record<string, string | number>>;

/** The rows of a result. */
export interface ClickHouseResult {
  json(): Promise<unknown>;
}

/** The methods that the stores call on a client of `@clickhouse/client`, which the host creates and closes. */
export interface ClickHouseClient {
  query(parameters: { query: string; format: "JSONEachRow" }): Promise<ClickHouseResult>;
  command(parameters: { query: string; clickhouse_settings: ClickHouseSettings }): Promise<unknown>;
  insert(parameters: {
    table: string;
    values: readonly object[];
    format: "JSONEachRow";
    clickhouse_settings: ClickHouseSettings;
  }): Promise<unknown>;
}

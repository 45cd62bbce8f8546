import type { PostgresConnection, PostgresPool } from "./pool.ts";

/**
 * Runs the work in one READ COMMITTED transaction, whatever the host's default isolation. An error rolls it back, and so does a
 * result that is not to be kept.
 */
export async function inTransaction<Result>(
  pool: PostgresPool,
  work: (connection: PostgresConnection) => Promise<Result>,
  isKept: (result: Result) => boolean = () => true,
): Promise<Result> {
  const connection = await pool.connect();
  // A connection taken from its pool has no error listener, and an error event without a listener ends the process.
  const ignore = () => undefined;
  connection.on("error", ignore);
  let failed = true;
  try {
    await connection.query({ text: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE" });
    const result = await work(connection);
    await connection.query({ text: isKept(result) ? "COMMIT" : "ROLLBACK" });
    failed = false;
    return result;
  } finally {
    connection.off("error", ignore);
    connection.release(failed);
  }
}

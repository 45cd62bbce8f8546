import type { PostgresConnection, PostgresPool } from "./pool.ts";

/** Does the work in one transaction that reads what is committed, whatever isolation the host prefers; a failure undoes all of it. */
export async function inTransaction<Result>(
  pool: PostgresPool,
  work: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  // A connection that was taken out of its pool has no listener, and an error without one ends the process.
  const ignore = () => undefined;
  connection.on("error", ignore);
  let failed = true;
  try {
    await connection.query({ text: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE" });
    const result = await work(connection);
    await connection.query({ text: "COMMIT" });
    failed = false;
    return result;
  } finally {
    connection.off("error", ignore);
    connection.release(failed);
  }
}

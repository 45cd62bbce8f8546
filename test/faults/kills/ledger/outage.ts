/** True for what a store or its client says while the database is gone, starting, or taken: no mistake of the store. */
export function isOutage(error: string): boolean {
  return /ECONNREFUSED|ECONNRESET|EPIPE|\b(?:08\d{3}|57P0[123])\b|Connection terminated|timeout exceeded|has locked/.test(
    error,
  );
}

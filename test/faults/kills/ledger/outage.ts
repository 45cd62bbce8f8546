/**
 * Tells whether an error means that the database was down, starting, locked, or a standby that only reads (25006), or that the
 * account is moving, which is not a bug of the store.
 */
export function isOutage(error: string): boolean {
  return /ECONNREFUSED|ECONNRESET|EPIPE|\b(?:08\d{3}|57P0[123]|25006)\b|during recovery|Connection terminated|timeout exceeded|read timeout|has locked|is being moved/.test(
    error,
  );
}

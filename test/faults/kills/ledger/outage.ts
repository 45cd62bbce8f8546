/** Tells whether an error means that the database was down, starting or locked, which is not a bug of the store. */
export function isOutage(error: string): boolean {
  return /ECONNREFUSED|ECONNRESET|EPIPE|\b(?:08\d{3}|57P0[123])\b|Connection terminated|timeout exceeded|has locked/.test(
    error,
  );
}

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that came with a request, when it can be used. */
export function readRequestId(given: string | undefined): string | undefined {
  return given !== undefined && acceptable.test(given) ? given : undefined;
}
